import { expect, it } from 'vitest'
import { readText } from '#scripts/testing/read-file'

/** The commands below a heading of README.md. */
const block = (heading: string) =>
  new RegExp(`### ${heading}\n\n\`\`\`\n([\\s\\S]*?)\`\`\``).exec(readText('README.md'))?.[1] ?? ''

it('README starts roles in production, on the ports of the systemd units', () => {
  const commands = block('One process for each role')
  expect(commands.indexOf('export NODE_ENV=production')).toBeGreaterThan(-1)
  expect(commands.indexOf('npm start gateway')).toBeGreaterThan(commands.indexOf('NODE_ENV'))
  // With NODE_ENV=production alone the metrics would be open to the network.
  expect(commands).toMatch(/^export .*\bHOST=127\.0\.0\.1$/m)
  const units = ['gateway', 'workers'].flatMap((role) => {
    const unit = readText(`docs/deploy/systemd/tesp-${role}@.service`)
    const ports = [...unit.matchAll(/\b((?:[A-Z]+_)?PORT)=(\d+%i)/g)]
    return ['1', '2'].map((instance) =>
      [
        ...ports.map(([, name, port]) => `${name}=${port?.replace('%i', instance)}`),
        `npm start ${role} &`,
      ].join(' '),
    )
  })
  expect(commands.split('\n').filter((line) => line.endsWith('&'))).toEqual(units)
})
