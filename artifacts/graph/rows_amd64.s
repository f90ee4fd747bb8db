#include "textflag.h"

// The vector path of Many for rows of eight words: AVX-512 F, BW and VBMI. Its Go twins are orRows8 with settle
// (rows.go) and tileWriter.tile (many_columns.go); TestManyOnGraphsThatFillItsLanes holds one against the other.

// Offsets of the type bases.
#define FRONT 0
#define NEXT 8
#define SEEN 16
#define PLANES 24
#define COUNT 88
#define FULL 96

// The id that is fetched early stands this many bytes behind the one in hand.
#define AHEAD 64

#define FETCH(offset) \
	MOVL       (AHEAD+offset)(DX), BX \
	SHLQ       $6, BX                 \
	PREFETCHT0 (SI)(BX*1)

// func gatherVector(b *bases, v uint32, ids []uint32) (isNew, whole bool)
//
// R8 bases, R9 offset of row v, SI front, DX next id, CX ids left; Z0 what v has now, Z1 full, Z3 what it had seen.
TEXT ·gatherVector(SB), NOSPLIT, $0-42
	MOVQ      b+0(FP), R8
	MOVL      v+8(FP), R9
	MOVQ      ids_base+16(FP), DX
	MOVQ      ids_len+24(FP), CX
	SHLQ      $6, R9
	MOVQ      FRONT(R8), SI
	MOVQ      SEEN(R8), R10
	VMOVDQU64 (R10)(R9*1), Z3
	VMOVDQU64 FULL(R8), Z1
	VMOVDQA64 Z3, Z0
	SUBQ      $4, CX
	JLT       rest

four:
	MOVL       (DX), R11
	MOVL       4(DX), R12
	MOVL       8(DX), R13
	MOVL       12(DX), DI
	SHLQ       $6, R11
	SHLQ       $6, R12
	SHLQ       $6, R13
	SHLQ       $6, DI
	FETCH(0)
	FETCH(4)
	FETCH(8)
	FETCH(12)
	VMOVDQU64  (SI)(R11*1), Z4
	VMOVDQU64  (SI)(R12*1), Z5
	VPORQ      (SI)(R13*1), Z4, Z4
	VPORQ      (SI)(DI*1), Z5, Z5
	VPTERNLOGQ $0xFE, Z4, Z5, Z0
	VPCMPEQQ   Z0, Z1, K1
	KMOVW      K1, AX
	CMPL       AX, $0xFF
	JEQ        settle
	ADDQ       $16, DX
	SUBQ       $4, CX
	JGE        four

rest:
	ADDQ $4, CX
	JEQ  settle

one:
	MOVL  (DX), R11
	SHLQ  $6, R11
	FETCH(0)
	VPORQ (SI)(R11*1), Z0, Z0
	ADDQ  $4, DX
	DECQ  CX
	JNE   one

settle:
	VPCMPEQQ  Z0, Z1, K1
	KMOVW     K1, AX
	CMPL      AX, $0xFF
	SETEQ     whole+41(FP)
	VPANDNQ   Z0, Z3, Z2
	VPTESTMQ  Z2, Z2, K2
	KMOVW     K2, AX
	TESTL     AX, AX
	SETNE     isNew+40(FP)
	JEQ       done
	MOVQ      NEXT(R8), R11
	VMOVDQU64 Z2, (R11)(R9*1)
	VMOVDQU64 Z0, (R10)(R9*1)
	MOVQ      COUNT(R8), CX
	LEAQ      PLANES(R8), DX

plane:
	MOVQ      (DX), R11
	VPORQ     (R11)(R9*1), Z2, Z4
	VMOVDQU64 Z4, (R11)(R9*1)
	ADDQ      $8, DX
	DECQ      CX
	JNE       plane

done:
	VZEROUPPER
	RET

// Byte 8b+i of a permuted register is byte 8i+b: the b-th byte of the i-th of eight words.
DATA bytesOfWords<>+0x00(SB)/8, $0x3830282018100800
DATA bytesOfWords<>+0x08(SB)/8, $0x3931292119110901
DATA bytesOfWords<>+0x10(SB)/8, $0x3a322a221a120a02
DATA bytesOfWords<>+0x18(SB)/8, $0x3b332b231b130b03
DATA bytesOfWords<>+0x20(SB)/8, $0x3c342c241c140c04
DATA bytesOfWords<>+0x28(SB)/8, $0x3d352d251d150d05
DATA bytesOfWords<>+0x30(SB)/8, $0x3e362e261e160e06
DATA bytesOfWords<>+0x38(SB)/8, $0x3f372f271f170f07
GLOBL bytesOfWords<>(SB), RODATA|NOPTR, $64

// TURN makes the columns of eight rows of eight words, Z0 to Z7, the rows Z0, Z8, Z2, Z10, Z4, Z12, Z6, Z14.
#define TURN \
	VPUNPCKLQDQ Z1, Z0, Z16         \
	VPUNPCKHQDQ Z1, Z0, Z17         \
	VPUNPCKLQDQ Z3, Z2, Z18         \
	VPUNPCKHQDQ Z3, Z2, Z19         \
	VPUNPCKLQDQ Z5, Z4, Z20         \
	VPUNPCKHQDQ Z5, Z4, Z21         \
	VPUNPCKLQDQ Z7, Z6, Z22         \
	VPUNPCKHQDQ Z7, Z6, Z23         \
	VSHUFI64X2  $0x88, Z18, Z16, Z0 \
	VSHUFI64X2  $0x88, Z22, Z20, Z1 \
	VSHUFI64X2  $0xDD, Z18, Z16, Z2 \
	VSHUFI64X2  $0xDD, Z22, Z20, Z3 \
	VSHUFI64X2  $0x88, Z19, Z17, Z4 \
	VSHUFI64X2  $0x88, Z23, Z21, Z5 \
	VSHUFI64X2  $0xDD, Z19, Z17, Z6 \
	VSHUFI64X2  $0xDD, Z23, Z21, Z7 \
	VSHUFI64X2  $0x88, Z1, Z0, Z8   \
	VSHUFI64X2  $0xDD, Z1, Z0, Z12  \
	VSHUFI64X2  $0x88, Z3, Z2, Z10  \
	VSHUFI64X2  $0xDD, Z3, Z2, Z14  \
	VSHUFI64X2  $0x88, Z5, Z4, Z9   \
	VSHUFI64X2  $0xDD, Z5, Z4, Z13  \
	VSHUFI64X2  $0x88, Z7, Z6, Z11  \
	VSHUFI64X2  $0xDD, Z7, Z6, Z15

// ROW loads the row of the i-th id of a group.
#define ROW(i, z) \
	MOVL  (4*i)(DX), AX       \
	SHLQ  $6, AX              \
	VPXORQ (SI)(AX*1), Z24, z

// STORE writes the group's part of the w-th word.
#define STORE(w, z) \
	VPERMB    z, Z25, z         \
	VMOVDQU64 z, (512*w)(DI)

// func squaresVector(dst *squares, plane *uint64, ids *[64]uint32, flip *[8]uint64)
TEXT ·squaresVector(SB), NOSPLIT, $0-32
	MOVQ      dst+0(FP), DI
	MOVQ      plane+8(FP), SI
	MOVQ      ids+16(FP), DX
	MOVQ      flip+24(FP), AX
	VMOVDQU64 (AX), Z24
	VMOVDQU64 bytesOfWords<>(SB), Z25
	MOVQ      $8, CX

group:
	ROW(0, Z0)
	ROW(1, Z1)
	ROW(2, Z2)
	ROW(3, Z3)
	ROW(4, Z4)
	ROW(5, Z5)
	ROW(6, Z6)
	ROW(7, Z7)
	TURN
	STORE(0, Z8)
	STORE(1, Z9)
	STORE(2, Z10)
	STORE(3, Z11)
	STORE(4, Z12)
	STORE(5, Z13)
	STORE(6, Z14)
	STORE(7, Z15)
	ADDQ $32, DX
	ADDQ $64, DI
	DECQ CX
	JNE  group
	VZEROUPPER
	RET

// TESTED adds what one plane is worth to the distances of the nodes that have the lane's bit there.
#define TESTED(bit, plane, worth) \
	VPTESTMB bit, plane, K1        \
	VPADDB   worth, Z0, K1, Z0

// LANE writes 64 distances to the next column, or returns after the last.
#define LANE(bit) \
	VPTESTMB   bit, Z1, K1    \
	VMOVDQU8.Z Z24, K1, Z0    \
	TESTED(bit, Z2, Z25)      \
	TESTED(bit, Z3, Z26)      \
	TESTED(bit, Z4, Z27)      \
	TESTED(bit, Z5, Z28)      \
	TESTED(bit, Z6, Z29)      \
	MOVQ       (DX), AX       \
	VMOVDQU64  Z0, (AX)(R9*1) \
	ADDQ       $8, DX         \
	DECQ       CX             \
	JEQ        written

#define EVERYWHERE(value, z) \
	MOVL         $value, AX \
	VPBROADCASTB AX, z

// func expandVector(columns []*uint8, at int, planes *[6]squares, word int)
//
// DX next column, CX columns left, R9 first node, SI the word in the first plane; planes are 4096 bytes apart.
TEXT ·expandVector(SB), NOSPLIT, $0-48
	MOVQ columns_base+0(FP), DX
	MOVQ columns_len+8(FP), CX
	MOVQ at+24(FP), R9
	MOVQ planes+32(FP), SI
	MOVQ word+40(FP), AX
	SHLQ $9, AX
	ADDQ AX, SI
	MOVQ SI, DI
	MOVQ $6, R8

turn:
	VMOVDQU64 0(DI), Z0
	VMOVDQU64 64(DI), Z1
	VMOVDQU64 128(DI), Z2
	VMOVDQU64 192(DI), Z3
	VMOVDQU64 256(DI), Z4
	VMOVDQU64 320(DI), Z5
	VMOVDQU64 384(DI), Z6
	VMOVDQU64 448(DI), Z7
	TURN
	VMOVDQU64 Z8, 0(DI)
	VMOVDQU64 Z9, 64(DI)
	VMOVDQU64 Z10, 128(DI)
	VMOVDQU64 Z11, 192(DI)
	VMOVDQU64 Z12, 256(DI)
	VMOVDQU64 Z13, 320(DI)
	VMOVDQU64 Z14, 384(DI)
	VMOVDQU64 Z15, 448(DI)
	ADDQ $4096, DI
	DECQ R8
	JNE  turn

	EVERYWHERE(1, Z16)
	EVERYWHERE(2, Z17)
	EVERYWHERE(4, Z18)
	EVERYWHERE(8, Z19)
	EVERYWHERE(16, Z20)
	EVERYWHERE(32, Z21)
	EVERYWHERE(64, Z22)
	EVERYWHERE(128, Z23)
	EVERYWHERE(1, Z24)
	EVERYWHERE(2, Z25)
	EVERYWHERE(4, Z26)
	EVERYWHERE(8, Z27)
	EVERYWHERE(16, Z28)
	EVERYWHERE(255, Z29)

eight:
	VMOVDQU64 0(SI), Z1
	VMOVDQU64 4096(SI), Z2
	VMOVDQU64 8192(SI), Z3
	VMOVDQU64 12288(SI), Z4
	VMOVDQU64 16384(SI), Z5
	VMOVDQU64 20480(SI), Z6
	LANE(Z16)
	LANE(Z17)
	LANE(Z18)
	LANE(Z19)
	LANE(Z20)
	LANE(Z21)
	LANE(Z22)
	LANE(Z23)
	ADDQ $64, SI
	JMP  eight

written:
	VZEROUPPER
	RET
