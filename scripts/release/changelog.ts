const UNRELEASED = '## Unreleased\n'

/** The text of a section, without its title; empty if there is none. */
function sectionBody(changelog: string, title: string): string {
  const from = changelog.indexOf(title)
  if (from < 0) return ''
  const [body = ''] = changelog.slice(from + title.length).split(/^## /m)
  return body.trim()
}

/**
 * The changelog with what was unreleased under a version and its date, below an empty section for
 * what follows.
 * @returns undefined if nothing is unreleased
 */
export function releasedChangelog(
  changelog: string,
  version: string,
  date: string,
): string | undefined {
  if (!sectionBody(changelog, UNRELEASED)) return undefined
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${date}\n`)
}
