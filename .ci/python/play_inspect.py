"""play_inspect.py RELEASE LOGS OUT: ten games of every family in Inspect with a mock model, and
what its logs say of them, in OUT/FAMILY/results; OUT/docs has what the one log in LOGS says."""

import json
import pathlib
import sys

import inspect_ai
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from wikinav.integrations import FAMILIES

import player

release, logs, out = sys.argv[1:]


def answer(messages, tools, choice, config):
    said = player.reply([{"role": m.role, "content": m.text} for m in messages], tools)
    output = ModelOutput.from_content("mockllm/model", said["content"])
    for call in said.get("tool_calls", ()):
        function = call["function"]
        output = ModelOutput.for_tool_call("mockllm/model", function["name"],
                                           json.loads(function["arguments"]))
    output.usage = ModelUsage(input_tokens=7, output_tokens=2, total_tokens=9)
    return output


def told(log, file):
    """Writes what a log says of its games, whose mean Inspect must have made itself."""
    assert log.status == "success", log.error.message
    scores = [sample.scores["game"] for sample in log.samples]
    rewards = [score.value for score in scores]
    mean = log.results.scores[0].metrics["mean"].value
    assert abs(mean - sum(rewards) / len(rewards)) < 1e-9, (mean, rewards)
    games = [{"instance": sample.id, "reward": score.value, "outcome": score.answer}
             for sample, score in zip(log.samples, scores)]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(game) + "\n" for game in games))


log, = list_eval_logs(logs)
told(read_eval_log(log), pathlib.Path(out, "docs"))
for family in FAMILIES:
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    arguments = {"release": release, "split": player.SPLIT.get(family),
                 "log": f"{out}/{family}/runs"}
    log, = inspect_ai.eval(f"wikinav/{family}", task_args=arguments, model=model, limit=10,
                           log_dir=f"{out}/logs", display="none")
    told(log, pathlib.Path(out, family, "results"))
