import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { testFolder } from '#scripts/testing/temp-folder'

const read = (file: string) => fs.readFileSync(path.join(ROOT, 'docs/deploy', file), 'utf8')

const isInstalled = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const hasNginx = isInstalled('nginx', '-v') && isInstalled('openssl', 'version')
const hasCaddy = isInstalled('caddy', 'version')
const note = (program: string, isThere: boolean) =>
  isThere ? '' : ` (skipped: ${program} is not installed)`

/** Replaces every occurrence; a text that is missing means that the document has changed. */
const replaced = (source: string, changes: Record<string, string>) =>
  Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the configuration has no "${from}"`)
    return text.replaceAll(from, to)
  }, source)

/** docs/deploy/nginx.conf inside what Debian's nginx.conf has around a site, all files in `folder`. */
function nginxIn(folder: string): string {
  const [certificate, key] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=tesp.example']
  execFileSync('openssl', [...request, '-out', certificate, '-keyout', key], { stdio: 'ignore' })
  // `nginx -t` binds what it listens on: sockets in the folder instead of ports that may be in use.
  const socket = (name: string) => `listen unix:${path.join(folder, name)}`
  const site = replaced(read('nginx.conf'), {
    'listen 443 ssl': `${socket('tls')} ssl`,
    'listen [::]:443 ssl': `${socket('tls6')} ssl`,
    'listen 80;': `${socket('plain')};`,
    'listen [::]:80;': `${socket('plain6')};`,
    '/etc/letsencrypt/live/tesp.example/fullchain.pem': certificate,
    '/etc/letsencrypt/live/tesp.example/privkey.pem': key,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const http = ['access_log off;', ...temporary, site].join('\n')
  const text = `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${http}\n}`
  const file = path.join(folder, 'nginx.conf')
  fs.writeFileSync(file, text)
  return file
}

/** Another account's log, and what newer versions say of a directive that older ones need. */
const OF_THIS_MACHINE = /could not open error log file|"listen \.{3} http2" directive is deprecated/

it.skipIf(!hasNginx)(`nginx accepts its configuration${note('nginx or openssl', hasNginx)}`, () => {
  const folder = testFolder()
  const { stderr, status } = spawnSync('nginx', ['-t', '-p', folder, '-c', nginxIn(folder)], {
    encoding: 'utf8',
  })
  const problems = stderr
    .split('\n')
    .filter((line) => /\[(warn|error|emerg|alert)\]/.test(line) && !OF_THIS_MACHINE.test(line))
  expect({ problems, status }).toEqual({ problems: [], status: 0 })
})

it.skipIf(!hasCaddy).each([
  ['docs/deploy/Caddyfile', {}],
  ['operators/containers/Caddyfile', { SITE_ADDRESS: ':80' }],
  ['operators/containers/Caddyfile', { SITE_ADDRESS: ':80', PROXY_TRUSTS: 'private_ranges' }],
])(`Caddy accepts the configuration %s with %o${note('caddy', hasCaddy)}`, (config, settings) => {
  const { stderr, status } = spawnSync(
    'caddy',
    ['validate', '--adapter', 'caddyfile', '--config', path.join(ROOT, config)],
    { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: testFolder(), ...settings } },
  )
  expect({ output: status === 0 ? '' : stderr, status }).toEqual({ output: '', status: 0 })
})

it('proxies pass bodies above the limit of the gateway, so that the gateway answers', () => {
  expect(read('nginx.conf')).toMatch(/^\s*client_max_body_size 8m;/m)
  expect(read('Caddyfile')).toMatch(/^\s*max_size 8MB$/m)
  expect(read('../kubernetes.md')).toContain('nginx.ingress.kubernetes.io/proxy-body-size: 8m')
})

it('nginx replaces the X-Forwarded-For of a client', () => {
  expect(read('nginx.conf')).toMatch(/^\s*proxy_set_header X-Forwarded-For \$remote_addr;/m)
})
