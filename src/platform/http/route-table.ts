import {
  type ExecutionContext,
  Injectable,
  type OnModuleInit,
  RequestMethod,
  type Type,
} from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Access } from '../access/access.decorators';
import { declaredAccess } from '../access/declared-access';
import { ScopeRegistry } from '../../kernel/scope-registry';
import { REPEATABLE } from '../pages/repeatable.decorator';
import { COUNTS_ITSELF } from '../rate-limiting/counts-itself.decorator';
import { FORM_OR_JSON } from './form-or-json.decorator';
import { readPrecondition } from './if-match.decorator';
import { KNOWN_PARAMETERS } from './ignores-unknown-parameters.decorator';
import { FILE_BODY } from './file-body.decorator';
import { RAW_BODY } from './raw-body.decorator';
import { OPTIONAL_BODY } from './optional-body.decorator';
import { SCANS_ROWS } from './scans-rows.decorator';
import { type PlacedRoute, refuseUnreachable, shapeOf } from './route-paths';

export interface Route extends PlacedRoute {
  readonly access: Access;
  readonly takesQuery: boolean;
  /** Reads or writes many rows even for a short request or answer. */
  readonly scansRows: boolean;
  /** The query parameters that it looks at, if it ignores all others instead of refusing them. */
  readonly knownParameters?: readonly string[];
  /** The DTO of its body, if it takes one. */
  readonly bodyType?: Type<object>;
  readonly needsBody: boolean;
  readonly takesFormOrJson: boolean;
  readonly takesRawBody: boolean;
  /** The media types of the file that is its body, which its own interceptor reads. */
  readonly takesFile?: readonly string[];
  readonly takesIfMatch: boolean;
  /** A form that is handled as often as it is sent. */
  readonly isRepeatable: boolean;
  /** Its requests aren't counted by their address. */
  readonly countsItself: boolean;
}

// The numbers under which Nest keeps the @Body and @Query parameters of a handler.
const BODY_PARAMETER = '3:';
const QUERY_PARAMETER = '4:';

/** Parameters of our own decorators are known by what reads them. */
type KnownParameters = Record<string, { factory?: unknown }>;

type Handler = (...parameters: never[]) => unknown;

/** Every route of the service, its extensions' included, worked out once at the start. */
@Injectable()
export class RouteTable implements OnModuleInit {
  private readonly routes = new Map<unknown, Map<unknown, Route>>();
  private readonly getShapes = new Set<string>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly scopes: ScopeRegistry,
  ) {}

  onModuleInit(): void {
    for (const { metatype, instance } of this.discovery.getControllers()) {
      if (!metatype || !instance) continue;
      // By controller and then by handler: two controllers may inherit one handler, each with an access of its own.
      const routes = new Map<unknown, Route>();
      this.routes.set(metatype, routes);
      const prototype = Object.getPrototypeOf(instance) as object;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = (prototype as Record<string, Handler>)[name]!;
        if (Reflect.hasMetadata(PATH_METADATA, handler))
          routes.set(handler, this.describe(metatype as Type, name, handler));
      }
    }
    const all = this.all();
    refuseUnreachable(all);
    for (const { method, access, paths } of all)
      if (method === 'GET' && access.kind !== 'page')
        paths.forEach((path) => this.getShapes.add(shapeOf(path)));
  }

  of(context: ExecutionContext): Route {
    return this.routes.get(context.getClass())!.get(context.getHandler())!;
  }

  all(): Route[] {
    return [...this.routes.values()].flatMap((routes) => [...routes.values()]);
  }

  /** Whether an object that the route creates can be read at the route's path followed by the object's id. */
  createsReadable({ method, paths }: Pick<Route, 'method' | 'paths'>): boolean {
    return method === 'POST' && paths.some((path) => this.getShapes.has(`${shapeOf(path)}/:`));
  }

  private describe(controller: Type, name: string, handler: Handler): Route {
    const access = declaredAccess(controller, name, handler, this.scopes);
    const known = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as KnownParameters;
    const parameters = Object.keys(known);
    const bodyParameter = parameters.find((key) => key.startsWith(BODY_PARAMETER));
    const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
      []) as Type<object>[];
    const bodyType = bodyParameter && types[Number(bodyParameter.slice(BODY_PARAMETER.length))];
    return {
      handler: `${controller.name}.${name}`,
      method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!,
      paths: joinPaths(
        Reflect.getMetadata(PATH_METADATA, controller) as string | string[],
        Reflect.getMetadata(PATH_METADATA, handler) as string | string[],
      ),
      access,
      takesQuery: parameters.some((key) => key.startsWith(QUERY_PARAMETER)),
      scansRows: Reflect.hasMetadata(SCANS_ROWS, handler),
      knownParameters: Reflect.getMetadata(KNOWN_PARAMETERS, handler) as string[] | undefined,
      ...(bodyType && { bodyType }),
      takesFormOrJson: Reflect.hasMetadata(FORM_OR_JSON, handler),
      takesIfMatch: Object.values(known).some(({ factory }) => factory === readPrecondition),
      countsItself: this.reflector.getAllAndOverride(COUNTS_ITSELF, [handler, controller]) === true,
      isRepeatable: Reflect.hasMetadata(REPEATABLE, handler),
      takesRawBody: Reflect.hasMetadata(RAW_BODY, handler),
      takesFile: Reflect.getMetadata(FILE_BODY, handler) as string[] | undefined,
      needsBody: bodyParameter !== undefined && !Reflect.hasMetadata(OPTIONAL_BODY, handler),
    };
  }
}

function joinPaths(prefixes: string | string[], paths: string | string[]): string[] {
  return [prefixes]
    .flat()
    .flatMap((prefix) =>
      [paths].flat().map((path) => `/${prefix}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')),
    );
}
