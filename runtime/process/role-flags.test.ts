import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROLE_ENV, ROLE_FLAGS } from './role-flags.ts'
import { ROOT } from './root.ts'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')

it.each(['gateway', 'workers'] as const)('docker compose starts the %s with its flags', (role) => {
  const { services } = parse(read('docker-compose.yml'))
  const command = ['node', ...ROLE_FLAGS[role], `dist/roles/${role}.mjs`]
  expect(services[role].command).toEqual(command)
})

it('the image starts a gateway with its flags and sets the environment of roles', () => {
  const image = read('Dockerfile')
  const command = ['node', ...ROLE_FLAGS.gateway, 'dist/roles/gateway.mjs']
  expect(image).toContain(`CMD [${command.map((each) => `"${each}"`).join(', ')}]`)
  for (const [name, value] of Object.entries(ROLE_ENV)) {
    expect(image).toContain(`ENV ${name}=${value}\n`)
  }
})
