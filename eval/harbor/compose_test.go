package harbor

import "testing"

func TestTheServerHasAContainerOfItsOwn(t *testing.T) {
	got := Compose{
		Server: "desk", Command: []string{"/opt/serve", "--log=/log"}, Socket: "/run/desk/sock", Patient: 7,
		Volumes: []Volume{{Name: "socket", Path: "/run/desk"}, {Name: "log", Path: "/log", ReadOnly: true}},
	}.YAML()
	want := `services:
  main:
    build:
      context: ${CONTEXT_DIR:-.}
    command: [sh, -c, sleep infinity]
    volumes:
      - socket:/run/desk
      - log:/log:ro
    depends_on:
      desk:
        condition: service_healthy
  desk:
    build:
      context: ${CONTEXT_DIR:-.}
      dockerfile: Dockerfile.desk
    network_mode: none
    command:
      - /opt/serve
      - --log=/log
    healthcheck:
      test: [CMD, test, -S, /run/desk/sock]
      interval: 1s
      retries: 7
      start_period: 7s
    volumes:
      - socket:/run/desk
      - log:/log
volumes:
  socket:
  log:
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
