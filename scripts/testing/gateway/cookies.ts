/** The cookies of one client: names, values and expiry, which is all that the product sets. */
export class CookieJar {
  private readonly cookies = new Map<string, string>()

  /** Applies the `Set-Cookie` headers of a response; an expired cookie is removed. */
  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const expires = attributes.find((attribute) => /^expires=/i.test(attribute))
      const isExpired = expires !== undefined && Date.parse(expires.slice(8)) <= Date.now()
      if (isExpired) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    }
  }

  /** The `Cookie` header; `undefined` without cookies. */
  header(): string | undefined {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    return pairs.length > 0 ? pairs.join('; ') : undefined
  }

  delete(name: string): void {
    this.cookies.delete(name)
  }

  get(name: string): string | undefined {
    return this.cookies.get(name)
  }

  /** A jar with the same cookies, as an attacker who copied them would have. */
  copy(): CookieJar {
    const jar = new CookieJar()
    for (const [name, value] of this.cookies) jar.cookies.set(name, value)
    return jar
  }
}
