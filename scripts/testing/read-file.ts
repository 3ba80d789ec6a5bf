import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'

/** Text of a file of the repository. */
export const readText = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8')

/** Content of a JSON file of the repository. */
export const readJson = (file: string) => JSON.parse(readText(file))
