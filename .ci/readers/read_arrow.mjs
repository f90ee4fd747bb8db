// apache-arrow for JavaScript: Arrow files, and JSON lines by the language itself.
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { RecordBatchReader, tableFromIPC, Type } from 'apache-arrow'

const [release, , out] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync('node_modules/apache-arrow/package.json', 'utf8'))
const manifest = JSON.parse(readFileSync(`${release}/manifest.json`, 'utf8'))
const facts = { reader: `apache-arrow for JavaScript ${version}`, files: {}, skipped: {}, distances: null }

// total adds up numbers of any width.
const total = values => {
  let big = 0n, small = 0
  for (const x of values) typeof x === 'bigint' ? (big += x) : (small += x)
  return Number(big) + small
}

function columns(table) {
  const said = {}
  for (const [i, field] of table.schema.fields.entries()) {
    const column = table.getChildAt(i)
    switch (field.typeId) {
      case Type.List: {
        let sum = 0, n = 0
        for (const list of column) { sum += total(list.toArray()); n += list.length }
        said[field.name] = sum
        said[`${field.name}[]`] = n
        break
      }
      case Type.Utf8: said[field.name] = total([...column].map(x => Buffer.byteLength(x))); break
      case Type.Binary: said[field.name] = total([...column].map(x => x.length)); break
      case Type.Bool: said[field.name] = total([...column].map(Number)); break
      default: said[field.name] = total(column.toArray())
    }
  }
  return said
}

for (const { path } of manifest.files) {
  if (path.endsWith('.arrow')) {
    const table = tableFromIPC(readFileSync(`${release}/${path}`))
    facts.files[path] = { rows: table.numRows, columns: columns(table) }
  } else if (/\.jsonl(\.gz)?$/.test(path)) {
    const data = readFileSync(`${release}/${path}`)
    const lines = (path.endsWith('.gz') ? gunzipSync(data) : data).toString('utf8').split('\n').slice(0, -1)
    lines.forEach(line => JSON.parse(line))
    facts.files[path] = { rows: lines.length, columns: {} }
  }
}

if (facts.files['distances/distances-0000.arrow']) facts.distances = sample()

// sample looks up 200 distances.
function sample() {
  const sidecar = tableFromIPC(readFileSync(`${release}/distances/columns.arrow`))
  const [shard, row] = ['shard', 'row'].map(name => sidecar.getChild(name).toArray())
  const shards = {}
  return [...Array(200).keys()].map(i => {
    const c = (i * 7919) % sidecar.numRows, node = (i * 104729) % manifest.graph.nodes
    const name = `${release}/distances/distances-${String(shard[c]).padStart(4, '0')}.arrow`
    shards[name] ??= [...RecordBatchReader.from(readFileSync(name))]
    return shards[name][row[c]].getChild('distance').get(node)
  })
}

writeFileSync(out, JSON.stringify(facts))
const files = Object.values(facts.files)
console.log(`${facts.reader}: ${files.length} files, ${files.reduce((n, f) => n + f.rows, 0)} rows`)
