import { ROOT } from '#runtime/process/root'
import { buildClient } from '#scripts/build/build-client'
import { buildRoles } from '#scripts/build/build-roles'
import { type LoadFigures, type LoadReport, lighthouse } from '#trials/bench/first-load/lighthouse'
import { openBrowser, type Side, startSide } from '#trials/bench/first-load/side'
import { loadTables, PAGES, type Page } from '#trials/bench/first-load/tables'
import { commitOf } from '#trials/bench/harness/figures/run-facts'
import { ensurePeers } from '#trials/bench/harness/peers'
import { benchServers } from '#trials/bench/harness/servers'
import type { BenchOptions, PartResult } from '#trials/bench/result'

/** Opens a page in a new browser, as on a first visit. */
async function load(side: Side, { path, isMember }: Page, folder: string): Promise<LoadReport> {
  const browser = await openBrowser(side, isMember)
  try {
    return await lighthouse(`${side.url}${path}`, browser.port, folder)
  } finally {
    await browser.close()
  }
}

/**
 * First visits to each page as a phone on a slow network sees them, by Lighthouse; with `--compare` next
 * to another checkout, whose client and roles are built (`npm run build` there).
 */
export async function run({ rounds, quick, compare, log }: BenchOptions): Promise<PartResult> {
  await ensurePeers()
  await buildClient()
  await buildRoles()
  const servers = await benchServers()
  const sides: Record<string, Side> = {}
  /** By page and version, one a round. */
  const measured = new Map<string, LoadFigures[]>()
  try {
    sides['this version'] = await startSide(servers, 'bench_this', ROOT)
    if (compare) sides['other version'] = await startSide(servers, 'bench_other', compare)
    const pages = quick ? PAGES.slice(0, 2) : PAGES
    for (let round = 0; round < rounds; round++) {
      const entries = Object.entries(sides)
      for (const page of round % 2 === 0 ? pages : pages.toReversed()) {
        for (const [name, side] of round % 2 === 0 ? entries : entries.toReversed()) {
          const { figures, failed } = await load(side, page, servers.folder)
          const label = compare ? `${page.path}, ${name}` : page.path
          measured.set(label, [...(measured.get(label) ?? []), figures])
          log(`${label}: ${Math.round(figures.performance)}, LCP ${Math.round(figures.lcp)} ms`)
          if (failed.length > 0) log(`  failed audits: ${failed.join(', ')}`)
        }
      }
    }
    return {
      part: 'load',
      title: 'First load on a phone',
      tables: loadTables(pages, Object.keys(sides), measured),
      notes: [
        'Lighthouse with its mobile profile (simulated slow 4G, a processor four times slower), a new browser for each load, nothing cached, no TLS. Each page is loaded once a round.',
        'Pages other than `/auth` belong to a member who mines.',
        ...(compare ? [`The other version is commit \`${commitOf(compare)}\`.`] : []),
      ],
    }
  } finally {
    for (const { gateway } of Object.values(sides)) await gateway.stop()
    await servers.stop()
  }
}
