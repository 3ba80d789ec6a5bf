// Plain Node, built-ins only: runs npm as a child of `npm start` or `npm test`.
import { spawnSync } from 'node:child_process'

const OPTIONS = [
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
]

/** Settings that the outer npm passes in the environment and that would change what is installed. */
const OUTER_SETTING =
  /^npm_(config_(omit|include|only|production|ignore_scripts|global|prefix|workspace.*|dry_run)|lifecycle_|package_|command)/i

function cleanEnvironment() {
  const entries = Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_ENV' && !OUTER_SETTING.test(name),
  )
  return Object.fromEntries(entries)
}

function npm(root, args) {
  const cli = process.env.npm_execpath ?? ''
  const byNode = /npm-cli\.js$/.test(cli)
  const { status } = spawnSync(
    byNode ? process.execPath : 'npm',
    [...(byNode ? [cli] : []), ...args, ...OPTIONS],
    {
      cwd: root,
      env: cleanEnvironment(),
      stdio: 'inherit',
      shell: process.platform === 'win32' && !byNode,
    },
  )
  return status === 0
}

/** Installs what package-lock.json names. Throws if npm fails. */
export function npmInstall(root) {
  console.log('Installing dependencies (npm ci), once …')
  // If the lock lacks packages of other platforms, `npm ci` of npm 11 fails; `install` keeps the pins.
  if (npm(root, ['ci']) || npm(root, ['install', '--no-save'])) return
  throw new Error('Installing the dependencies failed: see the output of npm above.')
}
