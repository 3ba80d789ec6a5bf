/** The cookies of one browser, as far as the product needs them. */
export class CookieJar {
  private readonly cookies = new Map<string, string>()

  /** Takes over what an answer sets; a cookie that has expired is gone. */
  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const expires = attributes.find((attribute) => /^expires=/i.test(attribute))
      const isOver = expires !== undefined && Date.parse(expires.slice(8)) <= Date.now()
      if (isOver) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    }
  }

  /** The `Cookie` header; nothing where there are none. */
  header(): string | undefined {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    return pairs.length > 0 ? pairs.join('; ') : undefined
  }

  get(name: string): string | undefined {
    return this.cookies.get(name)
  }

  /** A jar with the same cookies: what somebody has who copied them. */
  copy(): CookieJar {
    const jar = new CookieJar()
    for (const [name, value] of this.cookies) jar.cookies.set(name, value)
    return jar
  }
}
