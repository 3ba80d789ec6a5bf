import fs from 'node:fs'
import path from 'node:path'
import type { Browser, LaunchOptions } from 'playwright-core'
import { OperatorError } from '#runtime/operator-error'
import { DATA_DIR, ROOT } from '#runtime/process/root'
import { buildOnce } from '#scripts/build/build-once'
import { run } from '#scripts/embedded/run-program'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Not the arguments of @sparticuz/chromium: those hang at the second context and disable web security. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

async function unpack(folder: string): Promise<void> {
  await run(process.execPath, ['scripts/browser/unpack-chromium.mjs'], {
    cwd: ROOT,
    // The package unpacks into TMPDIR, and unpacks its libraries only if it detects AWS Lambda.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    name: 'Unpacking Chromium',
  })
}

/**
 * The unpacked settings name the fonts of AWS Lambda; without any font Chromium crashes on its first page. Those of
 * the machine are left out: texts would be wider on one machine than on another until the page's fonts are there.
 */
const fontSettings = (folder: string) => `<?xml version="1.0"?>
<fontconfig>
  <dir>${path.join(folder, 'fonts')}</dir>
  <cachedir>${path.join(folder, 'font-cache')}</cachedir>
</fontconfig>
`

/** Unpacks it into this folder, and again after an update of the package or of this file. */
export async function unpackedChromium(folder: string): Promise<string> {
  const sources = ['node_modules/@sparticuz/chromium/package.json', 'scripts/browser/chromium.ts']
  await buildOnce(folder, sources, async (fresh) => {
    fs.mkdirSync(fresh)
    await unpack(fresh)
    fs.writeFileSync(path.join(fresh, 'fonts/fonts.conf'), fontSettings(folder))
  })
  return path.join(folder, 'chromium')
}

/** Undefined for the Chromium from npm. @throws {OperatorError} if npm has none for the platform */
export function installedChromium(
  platform = `${process.platform}-${process.arch}`,
  exists: (file: string) => boolean = fs.existsSync,
): string | undefined {
  const installed = [process.env.CHROMIUM_PATH, ...INSTALLED].find((file) => file && exists(file))
  if (installed || platform === 'linux-x64') return installed
  throw new OperatorError(
    `There is no Chromium from npm for ${platform}: install one, or set CHROMIUM_PATH`,
  )
}

const chromiumPath = async () =>
  installedChromium() ?? unpackedChromium(path.join(DATA_DIR, 'chromium'))

function environment(executablePath: string) {
  const folder = path.dirname(executablePath)
  const libraries = path.join(folder, 'al2023/lib')
  if (!fs.existsSync(libraries)) return {}
  return {
    LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
    FONTCONFIG_PATH: path.join(folder, 'fonts'),
  }
}

export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  const executablePath = await chromiumPath()
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    ...options,
    executablePath,
    args: [...ARGUMENTS, ...(isRoot ? ['--no-sandbox'] : []), ...(options.args ?? [])],
    env: { ...(process.env as Record<string, string>), ...environment(executablePath) },
  })
}
