// Delete together with complete-lock.mjs. Longer names come before shorter ones that they contain.
const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'aix',
  'win32',
  'windows',
  'linux',
]
const PROCESSORS = [
  'arm64',
  'aarch64',
  'armv7',
  'arm',
  'x64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
]
const NODE_NAMES = { windows: 'win32', aarch64: 'arm64', armv7: 'arm' }

function libcOf(name) {
  if (/musl(eabi(hf)?)?$/.test(name)) return 'musl'
  return name.includes('linux') && /(gnu(eabi(hf)?)?|glibc)$/.test(name) ? 'glibc' : undefined
}

/** The `os`, `cpu` and `libc` fields that a package's name, such as `@x/y-linux-x64-gnu`, implies. */
export function platformOf(packageName) {
  const name = packageName.replace(/^@[^/]+\//, '')
  const first = (words) => {
    const word = words.find((candidate) => name.includes(candidate))
    return word && (NODE_NAMES[word] ?? word)
  }
  const fields = { os: first(SYSTEMS), cpu: first(PROCESSORS), libc: libcOf(name) }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => (value ? [[field, [value]]] : [])),
  )
}
