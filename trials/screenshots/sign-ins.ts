import type { Browser, BrowserContextOptions } from 'playwright-core'
import { DEMO_PASSWORD } from '#scripts/seed/demo-members'
import { MEMBERS, type MemberName } from './member-names.ts'

export type SignIns = Map<MemberName, BrowserContextOptions['storageState']>

/** Signs every member in once and keeps the cookies. */
export async function signInAll(browser: Browser, baseURL: string): Promise<SignIns> {
  const signIns: SignIns = new Map()
  for (const identifier of MEMBERS) {
    const context = await browser.newContext({ baseURL })
    const data = { identifier, password: DEMO_PASSWORD }
    const answer = await context.request.post('/api/login', { data })
    if (!answer.ok()) throw new Error(`${identifier} cannot sign in: ${await answer.text()}`)
    signIns.set(identifier, await context.storageState())
    await context.close()
  }
  return signIns
}
