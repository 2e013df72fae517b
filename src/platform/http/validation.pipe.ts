import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type FieldProblem, ValidationFailed } from '../../kernel/errors';
import { checkProblems } from './check';
import { Validator } from './class-validator';
import { inOrder, structuralProblems, validationProblems } from './input-problems';

const validator = new Validator();

/** Turns a decoded body or query into its DTO, or refuses it with 422 naming every offending field. */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(input: object, { type, metatype }: ArgumentMetadata): object {
    if (type !== 'body' && type !== 'query') return input;
    const { dto, problems } = validate(metatype as Type<object>, input);
    refuseIfAny(problems);
    return dto;
  }
}

export function validate(dtoClass: Type<object>, input: object): { dto: object; problems: FieldProblem[] } {
  const structural = structuralProblems(input);
  const dto = structural.length ? withoutOffenders(dtoClass, input) : plainToInstance(dtoClass, input);
  const errors = validator.validateSync(dto, { whitelist: true, forbidNonWhitelisted: true });
  const problems = [...structural, ...validationProblems(errors)];
  return { dto, problems: [...problems, ...checkProblems(dto, problems)] };
}

export function refuseIfAny(problems: FieldProblem[]): void {
  const [first, ...more] = inOrder(problems);
  if (first) throw new ValidationFailed(first, ...more);
}

/**
 * Enough to name the other offending fields: neither a conversion nor a field's own rule gets to see what the
 * structural check refused.
 */
function withoutOffenders(dtoClass: Type<object>, input: object): object {
  const rest = Object.entries<unknown>(input as Record<string, unknown>).filter(
    ([name, value]) => !structuralProblems({ [name]: value }).length,
  );
  return plainToInstance(dtoClass, Object.fromEntries(rest));
}
