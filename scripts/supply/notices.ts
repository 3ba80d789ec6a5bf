import fs from 'node:fs'
import path from 'node:path'
import { licenceOf } from './licences.ts'
import { type LockedPackages, nameOf } from './lock.ts'

const NOTICE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i

/** The texts of a package's licence and notice files; packages of other platforms have none here. */
function textsOf(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && NOTICE_FILE.test(entry.name))
    .map(({ name }) => fs.readFileSync(path.join(folder, name), 'utf8').trim())
}

/** Licences of packages with their texts, as most of them demand of whoever passes a program on. */
export function noticesText(root: string, packages: LockedPackages, folders: string[]): string {
  const sections = folders.map((folder) => {
    const title = `${nameOf(folder)} ${packages[folder]?.version}`
    const texts = textsOf(path.join(root, folder))
    return [`${title} (${licenceOf(packages, folder)})`, ...texts].join('\n\n')
  })
  const line = `\n\n${'-'.repeat(80)}\n\n`
  return `Packages that are part of TESP Network, and their licences.${line}${sections.join(line)}\n`
}
