import fs from 'node:fs'
import path from 'node:path'
import type { Db } from '#db/postgres/statements/transaction'
import type { PostgresServer } from '#trials/kit/postgres'
import { until } from '#trials/kit/until'

/** docs/operations/backup.md. An identical file is a success: after a power cut Postgres archives files again. */
export const ARCHIVE_COMMAND =
  'if test -f /backup/wal/%f; then cmp -s %p /backup/wal/%f; else cp %p /backup/wal/%f.part && mv /backup/wal/%f.part /backup/wal/%f; fi'

/** As docs/operations/backup.md recommends, with a shorter `archive_timeout` than its 60 s. */
export const archiveSettings = (archive: string) => [
  'wal_level=replica',
  'archive_mode=on',
  `archive_command=${ARCHIVE_COMMAND.replaceAll('/backup/wal', archive)}`,
  'archive_timeout=2',
]

export async function takeBackup(server: PostgresServer, to: string): Promise<void> {
  const from = ['--host=127.0.0.1', `--port=${server.port}`, '--username=postgres', '--no-password']
  const how = ['--checkpoint=fast', '--wal-method=stream', `--pgdata=${to}`]
  await server.run('pg_basebackup', [...from, ...how])
  await server.run('pg_verifybackup', [to])
}

export function megabytes(folder: string): number {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const bytes = files.map((file) => fs.statSync(path.join(folder, file)))
  return bytes.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0) / 1e6
}

export async function untilArchived(db: Db): Promise<void> {
  const { rows } = await db.raw('select pg_walfile_name(pg_current_wal_insert_lsn()) as segment')
  const { segment } = rows[0]
  await until(`${segment} is archived`, async () => {
    const { rows } = await db.raw('select last_archived_wal as "last" from pg_stat_archiver')
    return rows[0].last !== null && rows[0].last >= segment
  })
}

/** The next start recovers to `at`, a timestamp of Postgres: nothing that was committed later is left. */
export async function restoreBackup(
  server: PostgresServer,
  { backup, archive, at }: { backup: string; archive: string; at: string },
): Promise<void> {
  fs.rmSync(server.data, { recursive: true, force: true })
  await server.run('cp', ['-a', backup, server.data])
  server.writeData(
    'postgresql.auto.conf',
    [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${at}'`,
      `recovery_target_action = 'promote'`,
      '',
    ].join('\n'),
  )
  server.writeData('recovery.signal', '')
}
