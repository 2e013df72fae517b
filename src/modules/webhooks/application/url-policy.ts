/** A port: where deliveries may go at all. */
export abstract class UrlPolicy {
  /** Why an address can't be an endpoint's, or undefined. Names are looked up only when something is delivered. */
  abstract problem(url: string): string | undefined;
}
