// Plays a game of a release through `wikinav-eval mcp` with the official TypeScript SDK, which checks every result against the schema
// that the tool lists.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, release] = process.argv.slice(2);
const client = new Client({ name: "wikinav-ci", version: "1" });
await client.connect(new StdioClientTransport({ command: program, args: ["mcp", "--release", release, "--option", "back=on"] }));

async function call(name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

async function fails(code, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(result.isError && result.content[0].text.startsWith(`${code}: `), `${name}: ${result.content[0].text}`);
}

const { tools } = await client.listTools();
assert.deepEqual(tools.map((t) => t.name), ["click_link", "give_up", "go_back", "list_instances", "observe", "start_game"]);
const split = "easy"; // one of the races: the manifest lists the sets of other families, too
const { items } = await call("list_instances", { split, limit: 1 });
await fails("game_not_found", "observe");

let seen = (await call("start_game", { instance: items[0].id })).observation;
assert.ok(seen.task.includes("go_back"));
await fails("bad_field", "click_link", { step: "1", choice: 0 });
await fails("step_ahead", "click_link", { step: 9, choice: 0 });
assert.equal((await call("click_link", { step: 1, choice: seen.links.length })).reason, "out_of_range");
seen = (await call("click_link", { step: 2, title: seen.links[0].title })).observation;
let end = await call("go_back", { step: 3 });
assert.equal(end.observation.current.title, items[0].source.title);
while (!end.done) {
  end = await call("click_link", { step: end.observation.step, choice: 0 });
  assert.ok(end.valid);
}
assert.equal(end.observation.outcome, end.outcome);
await fails("game_over", "click_link", { step: 99, choice: 0 });
await client.close();
console.log(`mcp: the TypeScript SDK played a game of ${end.observation.step - 1} turns, ${end.outcome}`);
