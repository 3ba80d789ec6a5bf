/**
 * Stands for `scripts/embedded/local-database.ts` in the bundled commands: an image has no embedded
 * servers.
 */
export async function withLocalDatabase<T>(
  { databaseUrl }: { databaseUrl: string | undefined },
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  if (!databaseUrl) {
    console.error('DATABASE_URL is missing: set postgres://user:password@host:5432/name')
    process.exit(1)
  }
  return work(databaseUrl)
}
