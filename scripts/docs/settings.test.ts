import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { composeProblems, envFileProblems } from './settings-files.ts'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')

describe('.env.example', () => {
  const file = read('.env.example')

  it('.env.example holds every setting with its default', () => {
    expect(envFileProblems(file)).toEqual([])
  })

  it.each([
    ['PORT is missing', '# PORT=3000', ''],
    ['PORTS is no setting', '# PORT=3000', '# PORT=3000\n# PORTS=1'],
    ['PORT is 3001, by default 3000', '# PORT=3000', '# PORT=3001'],
    ['TESP_DATA_DIR is data, by default .data', 'TESP_DATA_DIR=.data', 'TESP_DATA_DIR=data'],
    [
      'TRUSTED_PROXIES "10.0.0.0/99" is not an IP address or network (10.0.0.0/8)',
      '10.0.0.0/8',
      '10.0.0.0/99',
    ],
  ])('a wrong line in .env.example is found: %s', (problem, before, after) => {
    expect(envFileProblems(file.replace(before, after))).toEqual([problem])
  })
})

describe('docker-compose.yml', () => {
  const file = read('docker-compose.yml')

  it('docker-compose.yml sets what production requires and repeats no wrong default', () => {
    expect(composeProblems(file)).toEqual([])
  })

  it.each([
    ['DATA_KEY is missing', /^ *DATA_KEY: .*\n/m, ''],
    ['HOSTS is no setting', 'HOST: 0.0.0.0', 'HOST: 0.0.0.0\n    HOSTS: x'],
    ['LOG_LEVEL is warn, by default info', 'LOG_LEVEL:-info', 'LOG_LEVEL:-warn'],
    ['LOG_LEVEL is taken from LEVEL', 'LOG_LEVEL:-info', 'LEVEL:-info'],
    ['DATA_KEY is required and has a default', 'DATA_KEY:?set it in .env', 'DATA_KEY:-x'],
    ['LOG_LEVEL has a default and is required', 'LOG_LEVEL:-info', 'LOG_LEVEL:?set it'],
    ['PORT is "300000": set a whole number from 0 to 65535', 'PORT: "3000"', 'PORT: "300000"'],
  ])('a wrong line in docker-compose.yml is found: %s', (problem, before, after) => {
    expect(composeProblems(file.replace(before, after))).toEqual([problem])
  })
})
