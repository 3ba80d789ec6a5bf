import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { readText } from '#scripts/testing/read-file'

type DocumentedCommand = { at: string; command: string }

const PROGRAMS =
  'npm|npx|node|git|docker|kubectl|helm|podman|curl|openssl|apt-get|systemctl|useradd|install|su|cp|mv|ln|cd|nginx|caddy|promtool|journalctl|psql'
/** A line that starts with a program, after settings such as `PORT=3001` and an indent of a list. */
const COMMAND = new RegExp(`^\\s*(?:[A-Z_]+=\\S+ )*(?:${PROGRAMS}) .+`)
/** A whole command in backticks within a sentence, such as `npm run audit`. */
const INLINE =
  /`((?:[A-Z_]+=\S+ )*(?:npm (?:start|test|run|ci|install|version|audit|outdated|sbom)|npx|docker compose|docker build|kubectl|helm|openssl|systemctl)(?: [^`]*)?)`/g
const SHELL = /^\s*```(?:sh|bash|shell|console)?\s*$/

/** What npm, git, the build and runs write. */
const NOT_OURS = ['node_modules', '.git', 'dist', '.data']

/** All Markdown files below a folder of the repository. */
function markdownFiles(folder = ''): string[] {
  const entries = fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true })
  return entries.flatMap((entry) => {
    const file = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : markdownFiles(file)
    return entry.name.endsWith('.md') ? [file] : []
  })
}

/** Commands of these programs in shell blocks, without comments, and in backticks, in all Markdown files. */
export function documentedCommands(): DocumentedCommand[] {
  return markdownFiles().flatMap((file) => {
    let fence: 'none' | 'shell' | 'other' = 'none'
    return readText(file)
      .split('\n')
      .flatMap((line, index) => {
        if (/^\s*```/.test(line)) {
          const opened = SHELL.test(line) ? 'shell' : 'other'
          fence = fence === 'none' ? opened : 'none'
        } else if (fence === 'shell' && COMMAND.test(line)) {
          const command = line.replace(/\s+#\s.*$/, '').trim()
          return [{ at: `${file}:${index + 1}`, command }]
        } else if (fence === 'none') {
          return [...line.matchAll(INLINE)].map(([, command = '']) => ({
            at: `${file}:${index + 1}`,
            command: command.replaceAll('\\|', '|'),
          }))
        }
        return []
      })
  })
}

/** Commands that need nothing but a clone, Node.js and Git. */
const RUN: RegExp[] = [
  /^(\w+=\S+ )*npm (start( gateway| workers)?|run dev)$/,
  /^npm test( --|$)/,
  /^(\w+=\S+ )*npm (test|run test:fast)\b/,
  /^npm run (build|audit|check( -- --write)?|house|migrate|seed|verify)$/,
  /^node scripts\/install\/complete-lock\.mjs$/,
  /^npm run check && npm test$/,
  /^npm run bench( -- reads --quick)?$/,
  /^npm run trial( -- --help)?$/,
  /^npm run trial (torture|simulate|upgrade|replica|screenshots)\b/,
  /^npm run ops( -- (status|doctor|lag|log|queues|mail|keys|teams|tasks|announcements|members|operators|versions|seals|ledger|quarantine|sign-ins)\b.*)?$/,
  /^npm run (--silent )?ops --( --help| <command>)?$/,
  /^npm run console$/,
  /^npm run init( -- --for (units|compose).*)?$/,
  /^npm (ci|ci --ignore-scripts|audit --omit=dev|audit signatures|outdated|sbom .*)$/,
  /^(PORT|WORKERS_PORT)=\d+ .*npm start (gateway|workers) &$/,
  /^npx web-push generate-vapid-keys$/,
  /^openssl /,
]

/** Commands that do not run on a clone, and why. */
const ELSEWHERE: [RegExp, string][] = [
  [/^docker /, 'needs Docker'],
  [/^kubectl |^helm /, 'needs a Kubernetes cluster'],
  [/^npm run trial containers/, 'needs Docker'],
  [/^npm run trial (patroni|citus)/, 'needs Patroni, Citus or PgBouncer'],
  [/^(\w+=\S+ )*npm run trial (redis|pgbouncer)/, 'needs redis-server or PgBouncer'],
  [/^npm run trial (recovery|alerts)/, 'needs PostgreSQL 15 or Prometheus of the system'],
  [/^npm run trial kubernetes/, 'needs Podman'],
  [/^npm run trial browsers/, 'needs Firefox or WebKit'],
  [/^npm run bench -- /, 'replaces a stored result; `reads --quick` shows that the bench runs'],
  [/^npm run ops -- redis/, 'needs a running installation'],
  [/^npm (version|run release)\b|^git (push|pull)/, 'makes or takes a release'],
  [/^npm install |^npm run verify -- /, 'needs a package or a receipt'],
  [/^git clone <this repository>|…/, 'holds a placeholder'],
  [
    /^(apt-get|systemctl|useradd|su|install|cp|mv|ln|cd|nginx|caddy|promtool|journalctl)\b/,
    'needs root on a prepared server',
  ],
  [/^curl /, 'needs a running installation'],
]

/** `run`, the reason why a command is not run on a clone, or nothing if no list has it. */
export function placeOf(command: string): string | undefined {
  if (RUN.some((pattern) => pattern.test(command))) return 'run'
  return ELSEWHERE.find(([pattern]) => pattern.test(command))?.[1]
}
