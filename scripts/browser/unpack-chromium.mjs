// A child process of chromium.ts: the package reads its paths from the environment at import.
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
