import { readArguments } from '#runtime/process/read-arguments'
import { missingEngine } from '#trials/containers/stack/engine'
import { PARTS, type PartName, testContainers } from '#trials/containers/test-containers'

/** `npm run test:containers`, or one part: `-- --only upgrade`. See docs/containers.md. */
const { values } = readArguments('npm run test:containers -- [--only <part>]', {
  options: { only: { type: 'string' } },
})
const names = Object.keys(PARTS) as PartName[]
const chosen = names.filter((name) => values.only === undefined || values.only === name)
if (chosen.length === 0) {
  console.error(`There is no part ${values.only}: use ${names.join(', ')}`)
  process.exit(1)
}
const missing = missingEngine()
if (missing) {
  console.log(`Skipped: ${missing}`)
  process.exit(0)
}
const problems = await testContainers(console.log, chosen)
for (const problem of problems) console.error(`FAILED  ${problem}`)
console.log(problems.length > 0 ? `${problems.length} problems` : 'No problem was found')
process.exit(problems.length > 0 ? 1 : 0)
