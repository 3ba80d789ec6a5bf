// Plain Node, built-ins only.
import fs from 'node:fs'

const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox']

function parentOf(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Id of the npm above the shell that npm runs scripts in: that shell outlives a killed npm. */
function npmBehindShell() {
  if (process.platform !== 'linux' || !process.env.npm_lifecycle_event) return undefined
  try {
    const name = fs.readFileSync(`/proc/${process.ppid}/comm`, 'utf8').trim()
    const npm = parentOf(process.ppid)
    return SHELLS.includes(name) && fs.readFileSync(`/proc/${npm}/cmdline`, 'utf8').includes('npm')
      ? npm
      : undefined
  } catch {
    return undefined
  }
}

/** Calls `gone` once when the parent process, or the npm above it, has died without a signal. */
export function watchParent(gone) {
  const parent = process.ppid
  const npm = npmBehindShell()
  const npmIsGone = () => {
    try {
      return npm !== undefined && parentOf(parent) !== npm
    } catch {
      return true
    }
  }
  const timer = setInterval(() => {
    if (process.ppid === parent && !npmIsGone()) return
    clearInterval(timer)
    gone()
  }, 500)
  timer.unref()
}
