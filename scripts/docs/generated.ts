import { productVersion } from '#runtime/process/root'
import { mailTemplates } from './mail-templates.tsx'
import { openApiDocument } from './openapi/openapi-document.ts'
import { socketEventsPage } from './openapi/socket-events-page.ts'
import { settingsPage } from './settings-page.ts'

/** `npm run test:fast -- -u` writes them. */
export const GENERATED: Record<string, () => string> = {
  'docs/openapi.json': () => `${JSON.stringify(openApiDocument(productVersion()), null, 2)}\n`,
  'docs/socket-events.md': socketEventsPage,
  'docs/settings.md': settingsPage,
  'db/mail-texts/templates.json': mailTemplates,
}
