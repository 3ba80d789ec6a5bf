import { ROOT } from '#runtime/process/root'
import { docker } from './engine.ts'
import { IMAGE } from './project.ts'

const NODE_IMAGE = process.env.NODE_IMAGE || 'node:20-bookworm-slim'
const MB = 1_000_000

/** Builds the image of this checkout, or of the one in another folder. */
export async function buildImage(image = IMAGE, folder = ROOT): Promise<void> {
  await docker('build', '--build-arg', `NODE_IMAGE=${NODE_IMAGE}`, '--tag', image, folder)
}

async function sizeOf(image: string): Promise<number> {
  return Number(await docker('image', 'inspect', '--format', '{{.Size}}', image)) / MB
}

/** Size of the image in MB, in all and above its base. */
export async function imageSize(): Promise<{ total: number; aboveBase: number }> {
  const [total, base] = await Promise.all([sizeOf(IMAGE), sizeOf(NODE_IMAGE)])
  return { total: Math.round(total), aboveBase: Math.round(total - base) }
}

/** Runs a command of a shell in a container of the image. */
const inImage = (script: string) =>
  docker('run', '--rm', '--network', 'none', '--entrypoint', 'bash', IMAGE, '-c', script)

/** What the image holds although it should not. */
export async function imageProblems(): Promise<string[]> {
  const problems: string[] = []
  const sources = await inImage("find /app -name '*.ts' -o -name '*.tsx' -o -name tsx | head -5")
  if (sources) problems.push(`the image holds sources: ${sources.replaceAll('\n', ', ')}`)
  const writable = await inImage('find /app -writable | head -5')
  if (writable) problems.push(`its user can write ${writable.replaceAll('\n', ', ')}`)
  const user = await inImage('id -u')
  if (user === '0') problems.push('the image runs as root')
  return problems
}
