"""Spark: Parquet and JSON lines, on this machine."""

import pyspark
from pyspark.sql import SparkSession, functions as F, types as T

from facts import Facts

SETTINGS = {
    "spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": "1",
    # Some hundred small files: to plan and compile a query for each took longer than to read them.
    "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}
spark = SparkSession.builder.master("local[1]").config(map=SETTINGS).getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
WIDE = T.DecimalType(38, 0)


def columns(place):
    frame = spark.read.parquet("file://" + place)
    sums = [F.count(F.lit(1)).alias("rows")]
    for field in frame.schema.fields:
        c, t = F.col("`" + field.name + "`"), field.dataType
        if isinstance(t, T.ArrayType):
            sums.append(F.sum(F.aggregate(c, F.lit(0).cast("long"), lambda a, x: a + x)).alias(field.name))
            c, field.name = F.size(c), field.name + "[]"
        elif isinstance(t, (T.StringType, T.BinaryType)):
            c = F.octet_length(c)
        elif isinstance(t, T.BooleanType):
            c = c.cast("int")
        elif not isinstance(t, (T.DoubleType, T.FloatType)):
            c = c.cast(WIDE)
        sums.append(F.sum(c).alias(field.name))
    said = frame.agg(*sums).first().asDict()
    rows = said.pop("rows")
    return rows, {name: value or 0 for name, value in said.items()}


facts = Facts(f"Spark {pyspark.__version__}")
facts.read(columns, ".parquet")


def lines(place):
    """The rows of which something is read: Spark would count lines without a look at them."""
    frame = spark.read.json("file://" + place)
    return frame.agg(F.count(F.when(F.length(F.to_json(F.struct("*"))) > 2, 1))).first()[0],


facts.read(lines, ".jsonl")
spark.stop()
facts.write()
