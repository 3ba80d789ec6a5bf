import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { mailTemplates } from './mail-templates.tsx'
import { openApiDocument } from './openapi/openapi-document.ts'
import { socketEventsPage } from './openapi/socket-events-page.ts'
import { settingsPage } from './settings-page.ts'

function version(): string {
  return JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version
}

/** Every generated file and its text. `npm run test:fast -- -u` writes them. */
export const GENERATED: Record<string, () => string> = {
  'docs/openapi.json': () => `${JSON.stringify(openApiDocument(version()), null, 2)}\n`,
  'docs/socket-events.md': socketEventsPage,
  'docs/settings.md': settingsPage,
  'db/mail-texts/templates.json': mailTemplates,
}
