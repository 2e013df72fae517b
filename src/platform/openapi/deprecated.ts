import { applyDecorators, Header } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const SUNSET = 'x-sunset';
const A_YEAR_MS = 365 * 24 * 60 * 60 * 1000;

interface Deprecation {
  /** The day, in UTC, on which the route was deprecated. */
  since: `${number}-${number}-${number}`;
  /** The day on which the route ends: at least a year after `since`. */
  sunset: `${number}-${number}-${number}`;
}

/**
 * Announces the end of a route: in the API reference, and in its responses by `Deprecation` (RFC 9745) and `Sunset`
 * (RFC 8594). Its description names the replacement.
 */
export function Deprecated({ since, sunset }: Deprecation): MethodDecorator {
  const [begin, end] = [new Date(since), new Date(sunset)];
  if (!(end.getTime() - begin.getTime() >= A_YEAR_MS)) {
    throw new Error(
      `A route ends a year after its deprecation at the soonest: ${since} to ${sunset} is less.`,
    );
  }
  return applyDecorators(
    Header('Deprecation', `@${begin.getTime() / 1000}`),
    Header('Sunset', end.toUTCString()),
    Header('Link', '</docs/guides/versioning>; rel="deprecation"; type="text/html"'),
    ApiExtension(SUNSET, sunset),
  );
}
