/** A port: the addresses that endpoints may have. */
export abstract class UrlPolicy {
  /** Why an endpoint can't have this address, if it can't. Host names are resolved only at delivery. */
  abstract problem(url: string): string | undefined;
}
