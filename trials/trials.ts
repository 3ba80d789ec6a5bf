import { ROOT } from '#runtime/process/root'
import { readText } from '#scripts/testing/read-file'
import { runVitest } from '#trials/kit/child'
import type { Need } from '#trials/kit/needs'
import type { Trial } from '#trials/kit/trial'

type Options = Record<string, string | number | boolean>
type Values<O extends Options> = {
  [K in keyof O]: O[K] extends number ? number : O[K] extends boolean ? boolean : string
}

type TrialEntry<O extends Options = Options> = {
  needs?: Need[]
  /** Options and their defaults; an empty string stands for an option that was not given. */
  options?: O
  run(trial: Trial, values: Values<O>): Promise<void>
}

const define = <O extends Options>(entry: TrialEntry<O>): TrialEntry => entry as TrialEntry

/** Runs the files of a project of trials/testing/vitest.config.ts whose names contain `filter`. */
const suite =
  (project: 'failover' | 'citus', filter = '') =>
  ({ report, defer }: Trial) =>
    report.step(`tests of ${filter || project}`, () => {
      const options = ['--config', 'trials/testing/vitest.config.ts', '--project', project, filter]
      return runVitest(defer, ROOT, options.filter(Boolean), { CLAIMING_MEMBERS: '10000' })
    })

export const TRIALS: Record<string, TrialEntry> = {
  torture: define({
    options: { minutes: 2, seed: 1, members: 16 },
    run: async (...args) => (await import('#trials/torture/torture')).tryTorture(...args),
  }),
  simulate: define({
    options: { seed: 1, histories: 1_000, only: '', parallel: 0 },
    run: async (...args) => (await import('#trials/simulation/run')).trySimulation(...args),
  }),
  upgrade: define({
    options: { from: '', next: false },
    run: async (...args) => (await import('#trials/upgrade/upgrade-trial')).tryUpgrade(...args),
  }),
  replica: define({ run: suite('failover', 'replica') }),
  redis: define({ needs: ['redis-server 7'], run: suite('failover', 'redis') }),
  pgbouncer: define({ needs: ['pgbouncer'], run: suite('failover', 'pgbouncer') }),
  nginx: define({ needs: ['nginx'], run: suite('failover', 'nginx') }),
  alerts: define({
    needs: ['Prometheus with Alertmanager'],
    run: async (trial) => (await import('#trials/recovery/alerts-trial')).tryAlerts(trial),
  }),
  recovery: define({
    needs: ['PostgreSQL 15'],
    run: async (trial) => (await import('#trials/recovery/recovery-trial')).tryRecovery(trial),
  }),
  patroni: define({
    needs: ['Patroni', 'PostgreSQL 15', 'pgbouncer', 'Linux'],
    options: { kills: 10, 'pooled-kills': 2 },
    run: async (...args) => (await import('#trials/patroni/failover-trial')).tryFailover(...args),
  }),
  'patroni-citus': define({
    needs: ['Patroni', 'Citus 13', 'Linux'],
    options: { kills: 10 },
    run: async (...args) =>
      (await import('#trials/patroni/failover-trial')).tryCitusFailover(...args),
  }),
  citus: define({ needs: ['Citus 13'], run: suite('citus') }),
  'without-citus': define({
    run: async (trial) => (await import('#trials/upgrade/without-citus')).tryWithoutCitus(trial),
  }),
  'citus-torture': define({
    needs: ['Citus 13', 'pgbouncer'],
    options: { minutes: 5, members: 12, seed: 1, pooled: false },
    run: async (...args) => (await import('#trials/citus/citus-trial')).tortureCitus(...args),
  }),
  'citus-growth': define({
    needs: ['Citus 13'],
    options: { members: 12, seed: 1, nodes: 3 },
    run: async (...args) => (await import('#trials/citus/citus-trial')).growCitus(...args),
  }),
  containers: define({
    needs: ['Docker'],
    options: { only: '' },
    run: async (...args) =>
      (await import('#trials/containers/containers-trial')).tryContainers(...args),
  }),
  kubernetes: define({
    needs: ['Podman', 'Helm', 'Linux'],
    options: { only: '' },
    run: async (...args) =>
      (await import('#trials/kubernetes/kubernetes-trial')).tryKubernetes(...args),
  }),
  browsers: define({
    needs: ['Firefox', 'WebKit', 'Linux'],
    options: { only: '' },
    run: async (...args) => (await import('#trials/browsers/browsers-trial')).tryBrowsers(...args),
  }),
  screenshots: define({
    options: { only: '', language: '', width: '', scale: 1 },
    run: async (...args) =>
      (await import('#trials/screenshots/screenshots-trial')).takeScreenshots(...args),
  }),
}

export const trialsTable = () =>
  readText('trials/README.md')
    .match(/^\|.*$/gm)
    ?.join('\n') ?? ''

export function usageOf(name: string): string {
  const options = Object.entries(TRIALS[name]?.options ?? {}).map(([option, value]) =>
    typeof value === 'boolean'
      ? ` [--${option}]`
      : ` [--${option} <${typeof value === 'number' ? 'n' : 'text'}>]`,
  )
  return `npm run trial ${name}${options.length > 0 ? ` --${options.join('')}` : ''}`
}
