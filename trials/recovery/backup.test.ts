import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { testFolder } from '#scripts/testing/temp-folder'
import { ARCHIVE_COMMAND, archiveSettings } from './backup.ts'

const page = fs.readFileSync(path.join(ROOT, 'docs/operations/backup.md'), 'utf8')

it('the trial of a recovery archives with the command that operators are told to set', () => {
  expect(page).toContain(`archive_command = '${ARCHIVE_COMMAND}'`)
  expect(archiveSettings('/backup/wal')).toContain(`archive_command=${ARCHIVE_COMMAND}`)
})

it('a segment is archived once, again if it is the same, and never in place of another', () => {
  const folder = testFolder()
  const write = (text: string) => fs.writeFileSync(path.join(folder, 'segment'), text)
  const archive = () => {
    const command = ARCHIVE_COMMAND.replaceAll('%p', 'segment')
      .replaceAll('%f', '0001')
      .replaceAll('/backup/wal', '.')
    return spawnSync('sh', ['-c', command], { cwd: folder }).status
  }
  write('WAL of this database')
  expect(archive()).toBe(0)
  expect(archive()).toBe(0)
  write('WAL of another one')
  expect(archive()).toBe(1)
  expect(fs.readdirSync(folder)).toEqual(['0001', 'segment'])
  expect(fs.readFileSync(path.join(folder, '0001'), 'utf8')).toBe('WAL of this database')
})
