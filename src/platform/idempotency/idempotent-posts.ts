import { type DynamicModule, RequestMethod, type Type, UseInterceptors } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA, MODULE_METADATA } from '@nestjs/common/internal';
import { MetadataScanner } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor';

type Handler = (...parameters: never[]) => unknown;

/**
 * Makes every POST route of the modules honour the Idempotency-Key. Nest knows interceptors for all routes, which cost each
 * read a part of its time in rxjs, or for single ones, which somebody would forget to name.
 */
export function makePostsIdempotent(modules: Iterable<Type>): void {
  for (const module of modules) {
    for (const controller of controllersOf(module)) {
      const prototype = controller.prototype as Record<string, Handler>;
      for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
        const handler = prototype[name]!;
        const interceptors = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
        const isPost = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST;
        if (isPost && !interceptors.includes(IdempotencyInterceptor)) {
          UseInterceptors(IdempotencyInterceptor)(prototype, name, { value: handler });
        }
      }
    }
  }
}

function controllersOf(module: Type | DynamicModule): Type[] {
  const [type, dynamic] = 'module' in module ? [module.module, module] : [module, undefined];
  const listed = <Item>(name: string) => (Reflect.getMetadata(name, type) ?? []) as Item[];
  return [
    ...listed<Type>(MODULE_METADATA.CONTROLLERS),
    ...(dynamic?.controllers ?? []),
    ...[
      ...listed<Type | DynamicModule>(MODULE_METADATA.IMPORTS),
      ...((dynamic?.imports ?? []) as Type[]),
    ].flatMap(controllersOf),
  ];
}
