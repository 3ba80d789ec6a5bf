import { createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import type { Config } from '#runtime/config/config'
import { dkimKey, domainOfSender } from '#workers/mail-transport'

/** Rejects with `code` ENOTFOUND or ENODATA if there are no records. */
type ResolveTxt = (name: string) => Promise<string[][]>

const NONE = ['ENOTFOUND', 'ENODATA']

const resolveTxt: ResolveTxt = (name) => new Resolver({ timeout: 3_000, tries: 1 }).resolveTxt(name)

async function records(resolve: ResolveTxt, name: string, begin: RegExp): Promise<string[]> {
  try {
    const found = await resolve(name)
    return found.map((parts) => parts.join('')).filter((text) => begin.test(text))
  } catch (error) {
    if (error instanceof Error && 'code' in error && NONE.includes(String(error.code))) return []
    throw error
  }
}

/** The domain and those above it with at least two labels: DMARC is looked up at both ends. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}

async function hasDmarc(resolve: ResolveTxt, domain: string): Promise<boolean> {
  const names = withParents(domain).map((name) => `_dmarc.${name}`)
  const found = await Promise.all(names.map((name) => records(resolve, name, /^v=DMARC1\b/i)))
  return found.flat().length > 0
}

async function dkimProblem(config: Config, resolve: ResolveTxt): Promise<string | undefined> {
  const dkim = dkimKey(config)
  if (!dkim) return undefined
  const name = `${dkim.selector}._domainkey.${dkim.domain}`
  const [record] = await records(resolve, name, /(^|;)\s*p=/)
  const key = createPublicKey(dkim.key).export({ type: 'spki', format: 'der' }).toString('base64')
  if (!record)
    return `DNS has no DKIM key at ${name}: add the TXT record "v=DKIM1; k=rsa; p=${key}"`
  const published = /(?:^|;)\s*p=([^;]*)/.exec(record)?.[1]?.replace(/\s/g, '')
  return published === key ? undefined : `DNS has another DKIM key at ${name} than DKIM_KEY_FILE`
}

/** Each problem says what to do. */
export async function senderProblems(
  config: Config,
  resolve: ResolveTxt = resolveTxt,
): Promise<string[]> {
  const sender = domainOfSender(config.mailFrom)
  const [spf, dkim, dmarc] = await Promise.all([
    records(resolve, sender, /^v=spf1\b/i),
    dkimProblem(config, resolve),
    hasDmarc(resolve, sender),
  ])
  const problems = [
    spf.length === 0 && `${sender} has no SPF record (TXT "v=spf1 … -all" with your mail server)`,
    spf.length > 1 && `${sender} has ${spf.length} SPF records; receivers then ignore all of them`,
    dkim,
    !dmarc && `_dmarc.${sender} has no DMARC record (TXT "v=DMARC1; p=none; rua=mailto:…")`,
  ]
  return problems.filter((problem) => typeof problem === 'string')
}
