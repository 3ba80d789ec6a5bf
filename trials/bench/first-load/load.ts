import { storeAvatar } from '#db/members/avatar-files'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { AVATAR_BYTES, AVATAR_PIXELS } from '#rules/members/avatars'
import { freePort } from '#runtime/config/free-port'
import { ROOT } from '#runtime/process/root'
import { launchChromium } from '#scripts/browser/chromium'
import { buildClient } from '#scripts/build/build-client'
import { ensureDatabase } from '#scripts/embedded/create-database'
import { dataUrl, jpeg } from '#scripts/testing/gateway/jpeg'
import { interleave } from '#trials/bench/measure'
import { populate, signInMembers } from '#trials/bench/members'
import type { BenchTable, Goal, Part } from '#trials/bench/result'
import { startRole } from '#trials/bench/role'
import type { BenchServers } from '#trials/bench/servers'
import { type LoadFigures, lighthouse } from './lighthouse.ts'

type Page = { path: string; isMember: boolean; goals: Partial<Record<Metric, Goal>> }

type Metric = keyof LoadFigures

const EVERY_PAGE = {
  performance: { atLeast: 95 },
  accessibility: { atLeast: 100 },
  'best-practices': { atLeast: 100 },
  seo: { atLeast: 100 },
  tbt: { atMost: 100 },
  cls: { atMost: 0 },
} satisfies Page['goals']

const page = (path: string, goals: Page['goals'] = {}, isMember = true): Page => {
  return { path, isMember, goals: { ...EVERY_PAGE, ...goals } }
}

const PAGES: Page[] = [
  page(
    '/auth',
    { performance: { atLeast: 97 }, lcp: { atMost: 1_500 }, script: { atMost: 90 } },
    false,
  ),
  page('/mine', { lcp: { atMost: 2_000 } }),
  page('/wallet'),
  page('/tasks'),
  page('/team'),
  page('/network'),
  page('/account'),
]

type Column = Pick<BenchTable, 'title' | 'unit'> & { id: Metric }

const COLUMNS: Column[] = [
  { id: 'performance', title: 'Performance', unit: 'of 100' },
  { id: 'lcp', title: 'Largest contentful paint', unit: 'ms' },
  { id: 'tbt', title: 'Total blocking time', unit: 'ms' },
  { id: 'cls', title: 'Cumulative layout shift', unit: 'score' },
  { id: 'script', title: 'JavaScript', unit: 'kB' },
  { id: 'total', title: 'Everything', unit: 'kB' },
  { id: 'accessibility', title: 'Accessibility', unit: 'of 100' },
  { id: 'best-practices', title: 'Best practices', unit: 'of 100' },
  { id: 'seo', title: 'SEO', unit: 'of 100' },
]

/** The client and roles of the checkout are built. */
async function startSide(servers: BenchServers, name: string, checkout: string) {
  const databaseUrl = await ensureDatabase(servers.databaseUrl, name)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const gateway = await startRole(
    'gateway',
    { databaseUrl, redisUrl: servers.redisUrl },
    { env: { PORT: `${port}`, REDIS_PREFIX: name, PUBLIC_ORIGIN: url }, checkout },
  )
  const db = servers.pool(1, databaseUrl)
  const [memberId = 0] = await populate(db, 1)
  const [header = ''] = await signInMembers(gateway.env, [memberId])
  const cookies = `${header}; tesp-member=${memberId}`.split('; ').map((cookie) => {
    const [cookieName = '', value = ''] = cookie.split('=')
    return { name: cookieName, value, url }
  })
  return { gateway, db, memberId, cookies }
}

type Side = Awaited<ReturnType<typeof startSide>>

async function load({ gateway, cookies }: Side, { path, isMember }: Page, folder: string) {
  const port = await freePort()
  const browser = await launchChromium({ args: [`--remote-debugging-port=${port}`] })
  try {
    if (isMember) {
      const session = await browser.newBrowserCDPSession()
      await session.send('Storage.setCookies', { cookies })
      await session.detach()
    }
    return await lighthouse(`${gateway.url}${path}`, port, folder)
  } finally {
    await browser.close()
  }
}

/** First visits by Lighthouse. `compare`: another checkout whose client and roles are built. */
export const measureLoad: Part = async (servers, options) => {
  const { rounds, quick, compare, log } = options
  await buildClient()
  const sides: [name: string, Side][] = []
  try {
    const own = await startSide(servers, 'bench_this', ROOT)
    sides.push(['this version', own])
    if (compare) sides.push(['other version', await startSide(servers, 'bench_other', compare)])
    const loads = (quick ? PAGES.slice(0, 2) : PAGES).flatMap((page) =>
      sides.map(([name, side], index) => {
        const label = compare ? `${page.path}, ${name}` : page.path
        const measure = async () => {
          const { figures, largest, failed } = await load(side, page, servers.folder)
          log(
            `${label}: ${Math.round(figures.performance)}, LCP ${Math.round(figures.lcp)} ms: ${largest}`,
          )
          if (failed.length > 0) log(`  failed audits: ${failed.join(', ')}`)
          return figures
        }
        return { label, goals: index === 0 ? page.goals : {}, measure }
      }),
    )
    const shapes = Object.fromEntries(loads.map(({ label, measure }) => [label, measure]))
    const measured: Record<string, LoadFigures[]> = await interleave(shapes, {
      rounds,
      warmUps: 0,
    })
    const html = await htmlTable(own)
    return {
      title: 'First load on a phone',
      tables: [
        ...COLUMNS.map(({ id, ...column }) => ({
          ...column,
          rows: loads.map(({ label, goals: { [id]: goal } }) => ({
            label,
            values: (measured[label] ?? []).map((figures) => figures[id]),
            ...(goal && { goal }),
          })),
        })),
        html,
      ],
      notes: [
        'Lighthouse with its mobile profile (simulated slow 4G, a processor four times slower), a new browser for each load, nothing cached, no TLS. Each page is loaded once a round.',
        'Pages other than `/auth` belong to a member who mines.',
      ],
    }
  } finally {
    for (const [, { gateway }] of sides) await gateway.stop()
  }
}

const LARGEST_KB = 25

async function giveLargestAvatar(db: Db, memberId: number): Promise<void> {
  const padding = AVATAR_BYTES - jpeg(AVATAR_PIXELS, AVATAR_PIXELS).length
  const picture = dataUrl(jpeg(AVATAR_PIXELS, AVATAR_PIXELS, padding))
  await inTransaction(db, async (tx) => {
    const avatar = await storeAvatar(tx, memberId, picture)
    await tx('users').where({ id: memberId }).update({ avatar })
  })
}

/** The HTML of each page of a member with the largest avatar, as sent; after the loads, which show none. */
async function htmlTable({ gateway, db, memberId, cookies }: Side): Promise<BenchTable> {
  await giveLargestAvatar(db, memberId)
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const rows = []
  for (const { path } of PAGES.filter(({ isMember }) => isMember)) {
    const answer = await fetch(`${gateway.url}${path}`, {
      headers: { Accept: 'text/html', 'Accept-Encoding': 'br', Cookie },
    })
    const html = await answer.text()
    if (!html.includes('/avatars/')) throw new Error(`${path} has no avatar: ${answer.status}`)
    const values = [Number(answer.headers.get('Content-Length')) / 1_000]
    rows.push({ label: path, values, goal: { atMost: LARGEST_KB } })
  }
  return { title: 'HTML of a member with the largest avatar', unit: 'kB', rows }
}
