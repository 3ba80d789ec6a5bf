import fs from 'node:fs'
import path from 'node:path'
import { readArguments } from '#runtime/process/read-arguments'
import { ROOT } from '#runtime/process/root'
import { completeBill } from '#scripts/supply/bill-of-materials'
import { licenceOf, licenceProblems } from '#scripts/supply/licences'
import { nameOf, readLock, readManifest } from '#scripts/supply/lock'
import { noticesText } from '#scripts/supply/notices'
import { npmOutput } from '#scripts/supply/npm'
import { shippedPackages } from '#scripts/supply/shipped-packages'
import { updatesOf } from '#scripts/supply/updates'

/**
 * `npm run supply`: the licences of everything that is shipped, and which dependencies are behind.
 * `-- --offline` asks no registry. `-- --out <folder>` writes the files of a release: the software bill
 * of materials and the texts of the licences.
 */
const { values } = readArguments('npm run supply -- [--offline] [--out <folder>]', {
  options: { offline: { type: 'boolean', default: false }, out: { type: 'string' } },
})
const packages = readLock()
const manifest = readManifest()
const shipped = shippedPackages(packages, manifest)

const byLicence = new Map<string, string[]>()
for (const folder of shipped) {
  const licence = licenceOf(packages, folder) ?? 'none'
  byLicence.set(licence, [...(byLicence.get(licence) ?? []), nameOf(folder)])
}
console.log(`${shipped.length} packages are shipped, by licence:\n`)
for (const [licence, names] of [...byLicence].sort(([, a], [, b]) => b.length - a.length)) {
  console.log(`${licence} (${names.length}): ${names.join(', ')}\n`)
}
const problems = licenceProblems(packages)
for (const problem of problems) console.error(problem)

if (!values.offline) {
  const updates = updatesOf(JSON.parse(await npmOutput('outdated', '--json')))
  console.log(updates.length > 0 ? 'Behind:' : 'No dependency is behind.')
  if (updates.length > 0) console.table(updates)
}

if (values.out !== undefined) {
  fs.mkdirSync(values.out, { recursive: true })
  const output = await npmOutput('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only')
  const bill = completeBill(JSON.parse(output), manifest.name, packages)
  fs.writeFileSync(path.join(values.out, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
  const notices = noticesText(ROOT, packages, shipped)
  fs.writeFileSync(path.join(values.out, 'third-party-licences.txt'), notices)
}
process.exit(problems.length > 0 ? 1 : 0)
