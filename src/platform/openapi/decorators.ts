import type * as Swagger from '@nestjs/swagger';

type Description = (swagger: typeof Swagger) => void;
type DecoratorName = Extract<keyof typeof Swagger, `Api${string}`>;

const waiting: Description[] = [];

/**
 * Nest's own decorators for the API reference, carried out when it is first asked for: loading @nestjs/swagger takes a tenth
 * of a start, and most processes never tell of themselves.
 */
export const ApiBody = deferred('ApiBody');
export const ApiConsumes = deferred('ApiConsumes');
export const ApiExcludeController = deferred('ApiExcludeController');
export const ApiExtension = deferred('ApiExtension');
export const ApiExtraModels = deferred('ApiExtraModels');
export const ApiOperation = deferred('ApiOperation');
export const ApiProperty = deferred('ApiProperty');
export const ApiPropertyOptional = deferred('ApiPropertyOptional');
export const ApiResponse = deferred('ApiResponse');
export const ApiSchema = deferred('ApiSchema');
export const ApiTags = deferred('ApiTags');

/** Of `revision`, which every object that can change counts, and its `ETag` tells. */
export const REVISION = {
  type: 'integer' as const,
  minimum: 1,
  description:
    'Counts the changes, from 1. Of two states of an object, the one with the higher revision is the later.',
  example: 1,
};

/** @nestjs/swagger, once it knows all that was said with the decorators above. */
export async function describedSwagger(): Promise<typeof Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const describe of waiting.splice(0)) describe(swagger);
  return swagger;
}

function deferred<Name extends DecoratorName>(name: Name): (typeof Swagger)[Name] {
  type Factory = (...options: unknown[]) => (...target: unknown[]) => void;
  const factory: Factory =
    (...options) =>
    (...target) => {
      waiting.push((swagger) => (swagger[name] as Factory)(...options)(...target));
    };
  return factory as (typeof Swagger)[Name];
}
