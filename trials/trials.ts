import { ROOT } from '#runtime/process/root'
import { runVitest } from '#trials/kit/child'
import type { Need } from '#trials/kit/needs'
import type { Trial } from '#trials/kit/trial'

type Options = Record<string, string | number | boolean>
type Values<O extends Options> = {
  [K in keyof O]: O[K] extends number ? number : O[K] extends boolean ? boolean : string
}

export type TrialEntry<O extends Options = Options> = {
  proves: string
  /** How long it takes with its default options on two cores. */
  minutes: number
  needs?: Need[]
  /** Options and their defaults; an empty string stands for an option that was not given. */
  options?: O
  run(trial: Trial, values: Values<O>): Promise<void>
}

const define = <O extends Options>(entry: TrialEntry<O>): TrialEntry => entry as TrialEntry

/** Runs the files of a project of trials/vitest.config.ts whose names contain `filter`. */
const suite =
  (project: 'failover' | 'citus', filter = '') =>
  ({ report, defer }: Trial) =>
    report.step(`tests of ${filter || project}`, () => {
      const options = ['--config', 'trials/vitest.config.ts', '--project', project, filter]
      return runVitest(defer, ROOT, options.filter(Boolean), { CLAIMING_MEMBERS: '10000' })
    })

export const TRIALS: Record<string, TrialEntry> = {
  torture: define({
    proves:
      'every rule of the economy holds while members send random commands and gateways and workers are killed, terminated and frozen',
    minutes: 3,
    options: { minutes: 2, seed: 1, members: 16 },
    run: async (...args) => (await import('#trials/torture/torture')).tryTorture(...args),
  }),
  simulate: define({
    proves: 'product and model agree on every answer, screen and ledger row of seeded histories',
    minutes: 2,
    options: { seed: 1, histories: 1_000, only: '', parallel: 0 },
    run: async (...args) => (await import('#trials/simulation/run')).trySimulation(...args),
  }),
  upgrade: define({
    proves:
      'two releases work side by side across a migration, and the older one works after a rollback',
    minutes: 2,
    options: { from: '', next: false },
    run: async (...args) => (await import('#trials/upgrade/upgrade-trial')).tryUpgrade(...args),
  }),
  replica: define({
    proves: 'exports and the audit read a streaming replica, and wait if it lags',
    minutes: 1,
    run: suite('failover', 'replica'),
  }),
  redis: define({
    proves:
      'nothing is lost when a master of Redis Cluster or Sentinel is killed or frozen under load, and members are served again within 15 s',
    minutes: 5,
    needs: ['redis-server 7'],
    run: suite('failover', 'redis'),
  }),
  pgbouncer: define({
    proves: 'gateways, workers and migrations work through PgBouncer in transaction mode',
    minutes: 1,
    needs: ['pgbouncer'],
    run: suite('failover', 'pgbouncer'),
  }),
  nginx: define({
    proves:
      'behind nginx, configured as documented, rolling restarts, new secrets and an upgrade without a pause fail no request',
    minutes: 2,
    needs: ['nginx'],
    run: suite('failover', 'nginx'),
  }),
  alerts: define({
    proves:
      'an alert of Prometheus reaches a mailbox by Alertmanager, with what to do, and its end too; disks are watched',
    minutes: 6,
    needs: ['Prometheus with Alertmanager'],
    run: async (trial) => (await import('#trials/recovery/alerts-trial')).tryAlerts(trial),
  }),
  recovery: define({
    proves: 'a backup and its WAL archive restore the database to a given second',
    minutes: 2,
    needs: ['PostgreSQL 15'],
    run: async (trial) => (await import('#trials/recovery/recovery-trial')).tryRecovery(trial),
  }),
  patroni: define({
    proves:
      'a primary of Patroni that is killed, frozen or switched over under load loses nothing acknowledged, and members are served again within 30 s',
    minutes: 10,
    needs: ['Patroni', 'PostgreSQL 15', 'pgbouncer', 'Linux'],
    options: { kills: 10, 'pooled-kills': 2 },
    run: async (trial, { kills, 'pooled-kills': pooledKills }) =>
      (await import('#trials/patroni/failover-trial')).tryFailover(trial, { kills, pooledKills }),
  }),
  'patroni-citus': define({
    proves:
      'the same for the servers of a database that Citus distributes, in turn; credits within 40 s',
    minutes: 10,
    needs: ['Patroni', 'Citus 13', 'Linux'],
    options: { kills: 10 },
    run: async (...args) =>
      (await import('#trials/patroni/failover-trial')).tryCitusFailover(...args),
  }),
  citus: define({
    proves:
      'the integration tests pass on three nodes of Citus, without those of one server’s plans and locks',
    minutes: 25,
    needs: ['Citus 13'],
    run: suite('citus'),
  }),
  'without-citus': define({
    proves: 'the product builds and its suite passes with `db/engine/citus` and its line deleted',
    minutes: 8,
    run: async (trial) => (await import('#trials/upgrade/without-citus')).tryWithoutCitus(trial),
  }),
  'citus-torture': define({
    proves: 'every rule of the economy holds while nodes of Citus are killed and shards move',
    minutes: 8,
    needs: ['Citus 13', 'pgbouncer'],
    options: { minutes: 5, members: 12, seed: 1, pooled: false },
    run: async (...args) => (await import('#trials/citus/citus-trial')).tortureCitus(...args),
  }),
  'citus-growth': define({
    proves: 'members are served while nodes join Citus and take their share of the shards',
    minutes: 2,
    needs: ['Citus 13'],
    options: { members: 12, seed: 1, nodes: 3 },
    run: async (...args) => (await import('#trials/citus/citus-trial')).growCitus(...args),
  }),
  containers: define({
    proves:
      'no request fails for good while services of Docker Compose are scaled, restarted and upgraded under load; image and profiles are as documented',
    minutes: 20,
    needs: ['Docker'],
    options: { only: '' },
    run: async (...args) =>
      (await import('#trials/containers/containers-trial')).tryContainers(...args),
  }),
  kubernetes: define({
    proves:
      'the objects of the Helm chart follow the published schemas; its pods migrate, serve a member and are replaced without a failed request',
    minutes: 5,
    needs: ['Podman', 'Helm', 'Linux'],
    options: { only: '' },
    run: async (...args) =>
      (await import('#trials/kubernetes/kubernetes-trial')).tryKubernetes(...args),
  }),
  browsers: define({
    proves:
      'a member registers, mines, claims, completes a task, reads inbox, earnings and the board of the week, loses the network and changes the language in Firefox and WebKit; pictures are in `.data/browsers`',
    minutes: 2,
    needs: ['Firefox', 'WebKit', 'Linux'],
    options: { only: '' },
    run: async (...args) => (await import('#trials/browsers/browsers-trial')).tryBrowsers(...args),
  }),
  screenshots: define({
    proves:
      'every screen and state passes axe, breaks no word and scrolls nowhere sideways; pictures and an index are in `.data/screenshots`',
    minutes: 12,
    options: { only: '', language: '', width: '', scale: 1 },
    run: async (...args) =>
      (await import('#trials/screenshots/screenshots-trial')).takeScreenshots(...args),
  }),
}

export function trialsTable(): string {
  const rows = Object.entries(TRIALS).map(
    ([name, { proves, minutes, needs = [] }]) =>
      `| \`${name}\` | ${proves} | ${minutes} | ${needs.join(', ')} |`,
  )
  return ['| Trial | Proves that | Minutes | Needs |', '| --- | --- | ---: | --- |', ...rows].join(
    '\n',
  )
}

export function usageOf(name: string): string {
  const options = Object.entries(TRIALS[name]?.options ?? {}).map(([option, value]) =>
    typeof value === 'boolean'
      ? ` [--${option}]`
      : ` [--${option} <${typeof value === 'number' ? 'n' : 'text'}>]`,
  )
  return `npm run trial ${name}${options.length > 0 ? ` --${options.join('')}` : ''}`
}
