import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { MIGRATIONS } from '#db/migrations/index'
import { ROOT } from '#runtime/process/root'
import { run } from '#scripts/embedded/run-program'

const NEWEST = Object.keys(MIGRATIONS).at(-1) ?? ''
const BUILD = `import { buildRoles } from '#scripts/build/build-roles'\nawait buildRoles()\nprocess.exit(0)\n`

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** Undefined if the newest migration admits no older release. */
export function commitBeforeNewestMigration(): string | undefined {
  if (MIGRATIONS[NEWEST]?.runsWith === undefined) return undefined
  const file = `db/migrations/${NEWEST}.ts`
  const added = git('log', '--diff-filter=A', '--max-count=1', '--format=%H', '--', file)
  if (!added) throw new Error(`${file} is not committed`)
  return git('rev-parse', '--short', `${added}^`)
}

/** Uses the packages of this checkout if the commit names the same. */
export async function checkOut(commit: string, folder: string): Promise<void> {
  fs.mkdirSync(folder)
  const archive = `${folder}.tar`
  git('archive', '--format=tar', `--output=${archive}`, commit)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  const [own, other] = [ROOT, folder].map((at) =>
    fs.readFileSync(path.join(at, 'package-lock.json')),
  )
  if (own && other?.equals(own)) {
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  } else {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  }
}

export async function buildRolesOf(folder: string): Promise<void> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', BUILD]
  await run(process.execPath, args, { cwd: folder, name: 'build of the roles' })
}

/** Adds a migration to a checkout, as the next release has one: new columns and an index. */
export function addTrialMigration(folder: string): void {
  const name = '999-trial'
  const migrations = path.join(folder, 'db/migrations')
  fs.writeFileSync(
    path.join(migrations, `${name}.ts`),
    `import type { Knex } from 'knex'

export const runsWith = '${NEWEST}'

export async function up(db: Knex): Promise<void> {
  await db.raw(\`
    alter table users add column "trialText" text not null default '';
    alter table wallets add column "trialCount" integer not null default 0;
    alter table mining_sessions add column "trialTime" timestamptz;
    create index users_trial on users ("trialText", id);
  \`)
}
`,
  )
  const index = path.join(migrations, 'index.ts')
  const source = fs.readFileSync(index, 'utf8')
  const listed = source.replace(
    new RegExp(`^ +'${NEWEST}': .*\\n`, 'm'),
    (last) => `${last}  '${name}': trial,\n`,
  )
  fs.writeFileSync(index, `import * as trial from './${name}.ts'\n${listed}`)
}
