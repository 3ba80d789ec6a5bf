import type { BenchTable, Goal } from '#trials/bench/result'
import type { LoadFigures } from './lighthouse.ts'

export type Page = { path: string; isMember: boolean; goals: Partial<Record<Metric, Goal>> }

type Metric = keyof LoadFigures

const EVERY_PAGE = {
  accessibility: { atLeast: 100 },
  'best-practices': { atLeast: 100 },
  seo: { atLeast: 100 },
  tbt: { atMost: 100 },
  cls: { atMost: 0 },
} satisfies Page['goals']

const member = (path: string, goals: Page['goals'] = {}): Page => ({
  path,
  isMember: true,
  goals: { ...EVERY_PAGE, performance: { atLeast: 95 }, ...goals },
})

/** The pages with their goals. */
export const PAGES: Page[] = [
  {
    path: '/auth',
    isMember: false,
    goals: {
      ...EVERY_PAGE,
      performance: { atLeast: 97 },
      lcp: { atMost: 1_500 },
      script: { atMost: 90 },
    },
  },
  member('/mine', { lcp: { atMost: 2_000 } }),
  member('/wallet'),
  member('/tasks'),
  member('/team'),
  member('/network'),
  member('/account'),
]

type Column = Pick<BenchTable, 'title' | 'unit' | 'higherIsBetter'> & { id: Metric }

const COLUMNS: Column[] = [
  { id: 'performance', title: 'Performance', unit: 'of 100', higherIsBetter: true },
  { id: 'lcp', title: 'Largest contentful paint', unit: 'ms', higherIsBetter: false },
  { id: 'tbt', title: 'Total blocking time', unit: 'ms', higherIsBetter: false },
  { id: 'cls', title: 'Cumulative layout shift', unit: 'score', higherIsBetter: false },
  { id: 'script', title: 'JavaScript', unit: 'kB', higherIsBetter: false },
  { id: 'total', title: 'Everything', unit: 'kB', higherIsBetter: false },
  { id: 'accessibility', title: 'Accessibility', unit: 'of 100', higherIsBetter: true },
  { id: 'best-practices', title: 'Best practices', unit: 'of 100', higherIsBetter: true },
  { id: 'seo', title: 'SEO', unit: 'of 100', higherIsBetter: true },
]

/** One table a metric; goals are those of this version. */
export function loadTables(
  pages: Page[],
  versions: string[],
  measured: Map<string, LoadFigures[]>,
): BenchTable[] {
  return COLUMNS.map(({ id, ...column }) => ({
    id,
    ...column,
    rows: pages.flatMap(({ path, goals }) =>
      versions.map((version, index) => {
        const label = versions.length > 1 ? `${path}, ${version}` : path
        const values = (measured.get(label) ?? []).map((figures) => figures[id])
        return index === 0 && goals[id] ? { label, values, goal: goals[id] } : { label, values }
      }),
    ),
  }))
}
