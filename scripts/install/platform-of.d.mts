/** The `os`, `cpu` and `libc` fields that a package's name, such as `@x/y-linux-x64-gnu`, implies. */
export function platformOf(packageName: string): {
  os?: string[]
  cpu?: string[]
  libc?: string[]
}
