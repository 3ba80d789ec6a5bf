import { missingEngine } from '#scripts/containers/stack/engine'
import { testContainers } from '#scripts/containers/test-containers'

/** `npm run test:containers`: see docs/containers.md. */
const missing = missingEngine()
if (missing) {
  console.log(`Skipped: ${missing}`)
  process.exit(0)
}
const problems = await testContainers(console.log)
for (const problem of problems) console.error(`FAILED  ${problem}`)
console.log(problems.length > 0 ? `${problems.length} problems` : 'No problem was found')
process.exit(problems.length > 0 ? 1 : 0)
