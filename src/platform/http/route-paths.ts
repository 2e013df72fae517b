export interface PlacedRoute {
  /** Its controller and method, such as `LeadsController.create`. */
  readonly handler: string;
  readonly method: string;
  readonly paths: readonly string[];
}

/** The path with parameters of one name: `/v1/leads/:` for `/v1/leads/:id`. */
export function shapeOf(path: string): string {
  return path.replace(/:\w+/g, ':');
}

/**
 * Refuses a route whose every request an earlier route handles: one for the same method and path, whatever its parameters
 * are called, or one with a parameter where the later route has a word.
 *
 * @param routes in the order in which they are registered
 */
export function refuseUnreachable(routes: readonly PlacedRoute[]): void {
  const placed = routes.flatMap((route) => route.paths.map((path) => ({ ...route, path, ...partsOf(path) })));
  placed.forEach((later, index) => {
    const earlier = placed
      .slice(0, index)
      .find((candidate) => includesMethod(candidate.method, later.method) && covers(candidate, later));
    if (!earlier) return;
    throw new Error(
      `${later.handler} (${later.method} ${later.path}) is never called, because ${earlier.handler} ` +
        `(${earlier.method} ${earlier.path}) handles its requests. Give one of them another path.`,
    );
  });
}

interface Parts {
  readonly segments: readonly string[];
  /** It ends with a wildcard: any number of segments may follow. */
  readonly isOpen: boolean;
}

function partsOf(path: string): Parts {
  const segments = shapeOf(path).split('/').slice(1);
  const isOpen = /^\{?\*/.test(segments.at(-1) ?? '');
  return { segments: isOpen ? segments.slice(0, -1) : segments, isOpen };
}

function covers(earlier: Parts, later: Parts): boolean {
  const hasLength = earlier.isOpen
    ? later.segments.length > earlier.segments.length
    : !later.isOpen && later.segments.length === earlier.segments.length;
  return (
    hasLength && earlier.segments.every((segment, at) => segment === ':' || segment === later.segments[at])
  );
}

/** Express answers HEAD by the handler of GET. */
function includesMethod(earlier: string, later: string): boolean {
  return earlier === later || earlier === 'ALL' || (earlier === 'GET' && later === 'HEAD');
}
