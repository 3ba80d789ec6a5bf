// Plain Node, built-ins only. Prints the licences of all installed packages, for a release and for the image:
// node scripts/release/third-party-licences.mjs > third-party-licences.txt
import fs from 'node:fs'
import path from 'node:path'

const TEXT = /licen[cs]e|copying|copyright|notice/i
const CODE = /\.([cm]?[jt]s|json|map)$/i

const read = (...parts) => fs.readFileSync(path.join(...parts), 'utf8')

/** Without those of the packages in its `node_modules`. */
function textsIn(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : textsIn(file)
    return TEXT.test(entry.name) && !CODE.test(entry.name) ? [file] : []
  })
}

const nameOf = (person) => (typeof person === 'string' ? person : person.name)

/** For a package that carries no licence text. */
function statement({ license, author, contributors = [], repository }) {
  const authors = [author, ...contributors].filter(Boolean).map(nameOf)
  return [
    `Licence: ${license}`,
    `Author: ${authors.join(', ') || repository?.url || repository}`,
    'The package carries no licence text.',
  ].join('\n')
}

const folders = Object.keys(JSON.parse(read('package-lock.json')).packages)
// Packages of other platforms are locked and not installed.
const installed = folders.filter((folder) => folder !== '' && fs.existsSync(folder))
if (installed.length === 0) throw new Error('No package is installed: run npm ci first.')
for (const folder of installed.sort()) {
  const manifest = JSON.parse(read(folder, 'package.json'))
  const texts = textsIn(folder).sort()
  console.log(`\n==== ${manifest.name} ${manifest.version}\n`)
  if (texts.length === 0) console.log(statement(manifest))
  for (const file of texts) console.log(`---- ${file}\n\n${read(file)}`)
}
