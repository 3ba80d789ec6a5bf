// Started by chromium.ts, because the package takes its paths from the environment when it is loaded.
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
