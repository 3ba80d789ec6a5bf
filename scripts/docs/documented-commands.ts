import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'

export type DocumentedCommand = { at: string; command: string }

const PROGRAMS =
  'npm|npx|node|git|docker|kubectl|helm|podman|curl|openssl|apt-get|systemctl|useradd|install|su|cp|mv|ln|cd|nginx|caddy|promtool|journalctl|psql'
/** A line that starts with a program, after settings such as `PORT=3001` and an indent of a list. */
const COMMAND = new RegExp(`^\\s*(?:[A-Z_]+=\\S+ )*(?:${PROGRAMS}) .+`)
const SHELL = /^\s*```(?:sh|bash|shell|console)?\s*$/

/** Commands of these programs in the shell blocks of all tracked Markdown files, without comments. */
export function documentedCommands(): DocumentedCommand[] {
  const files = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  return files
    .trim()
    .split('\n')
    .flatMap((file) => {
      let fence: 'none' | 'shell' | 'other' = 'none'
      return fs
        .readFileSync(path.join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          if (/^\s*```/.test(line)) {
            const opened = SHELL.test(line) ? 'shell' : 'other'
            fence = fence === 'none' ? opened : 'none'
          } else if (fence === 'shell' && COMMAND.test(line)) {
            const command = line.replace(/\s+#\s.*$/, '').trim()
            return [{ at: `${file}:${index + 1}`, command }]
          }
          return []
        })
    })
}

/** Commands that need nothing but a clone, Node.js and Git. */
const RUN: RegExp[] = [
  /^npm start$/,
  /^npm run dev$/,
  /^npm test( --|$)/,
  /^(\w+=\S+ )*npm (test|run test:fast)\b/,
  /^npm run (build|audit)$/,
  /^npm run trial( -- --help)?$/,
  /^npm run trial (torture|simulate)\b/,
  /^npm run ops -- (status|mail test|keys status|teams suspicious|teams show demo|tasks|announcements|members|operators)\b/,
  /^npm run ops -- (keys renew|<command>)/,
  /^npm run console$/,
  /^npm run init -- --for units/,
  /^npm (ci --ignore-scripts|audit --omit=dev|audit signatures|outdated|sbom .*)$/,
  /^(PORT|WORKERS_PORT)=\d+ .*npm run (gateway|workers) &$/,
  /^openssl /,
]

/** Commands that do not run on a clone, and why. */
const ELSEWHERE: [RegExp, string][] = [
  [/^docker /, 'needs Docker'],
  [/^kubectl |^helm /, 'needs a Kubernetes cluster'],
  [/^npm run trial containers/, 'needs Docker'],
  [/^npm run trial patroni/, 'needs Patroni and PgBouncer'],
  [/^npm version |^git (push|pull)/, 'makes or takes a release'],
  [/^git clone <this repository>/, 'holds a placeholder'],
  [
    /^(apt-get|systemctl|useradd|su|install|cp|mv|ln|cd|nginx|caddy|promtool|journalctl) /,
    'needs root on a prepared server',
  ],
  [/^curl /, 'needs a running installation'],
]

/** `run`, the reason why a command is not run on a clone, or nothing if no list has it. */
export function placeOf(command: string): string | undefined {
  if (RUN.some((pattern) => pattern.test(command))) return 'run'
  return ELSEWHERE.find(([pattern]) => pattern.test(command))?.[1]
}

// `node --import tsx scripts/docs/documented-commands.ts` prints the table.
if (process.argv[1] === import.meta.filename) {
  for (const { at, command } of documentedCommands()) {
    console.log(`| ${at} | \`${command}\` | ${placeOf(command) ?? 'UNKNOWN'} |`)
  }
}
