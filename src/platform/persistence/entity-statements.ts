import type { DataSource, EntitySchema, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import type { SortColumn, Statement } from './statement';

/** Types whose values the driver already returns as entities hold them. */
const READ_AS_IS = new Set<unknown>(['bytea', 'date', 'int', 'json', 'jsonb', 'text', 'timestamptz', 'uuid']);

type Row = Record<string, unknown>;

interface Reading {
  readonly property: string;
  readonly column: string;
  /** Undefined where the driver's value stays as it is. */
  readonly convert?: (value: unknown) => unknown;
}

/**
 * SQL for one entity, made from its TypeORM mapping: repositories write entities and read rows with it, so that columns and
 * their types are named in the mapping alone. TypeORM's own query builder makes its SQL anew for each call, and can't join
 * a change with its events into one statement.
 */
export class EntityStatements<Entity extends ObjectLiteral> {
  readonly table: string;
  /** The columns that `read` needs, qualified by the table's name, for SELECTs that give it no alias. */
  readonly columns: string;
  /** `SELECT … FROM …`, to be followed by WHERE. */
  readonly select: string;
  /** The same for one row; its parameters are the primary key, in the mapping's order. */
  readonly selectByKey: string;
  private readonly all: ColumnMetadata[];
  private readonly prototype: object;
  private readonly readings: Reading[];
  private readonly insertColumns: ColumnMetadata[];
  private readonly updateColumns: ColumnMetadata[];
  private readonly insertText: string;
  private readonly updateText: string;
  private readonly insertAllText: string;
  private readonly updateAllText: string;

  constructor(
    private readonly dataSource: DataSource,
    schema: EntitySchema<Entity>,
  ) {
    const { columns, tableName, target } = dataSource.getMetadata(schema);
    this.table = `"${tableName}"`;
    this.all = columns;
    // The target of a mapping without a class is a name; its entities are plain objects.
    this.prototype = typeof target === 'function' ? (target.prototype as object) : Object.prototype;
    const selected = columns.filter(({ isSelect }) => isSelect);
    this.readings = selected.map((column) => this.readingOf(column));
    this.columns = selected.map((column) => `${this.table}.${quoted(column)}`).join(', ');
    this.select = `SELECT ${this.columns} FROM ${this.table}`;
    const key = columns.filter(({ isPrimary }) => isPrimary);
    this.selectByKey = `${this.select} WHERE ${key.map((column, index) => `${quoted(column)} = $${index + 1}`).join(' AND ')}`;
    this.insertColumns = columns.filter(({ isInsert }) => isInsert);
    this.updateColumns = columns.filter(({ isPrimary, isUpdate }) => isPrimary || isUpdate);
    const places = this.insertColumns.map((_, index) => `$${index + 1}`);
    this.insertText = `INSERT INTO ${this.table} (${this.insertColumns.map(quoted).join(', ')}) VALUES (${places.join(', ')})`;
    const assignments = (isPrimary: boolean) =>
      this.updateColumns.flatMap((column, index) =>
        column.isPrimary === isPrimary ? [`${quoted(column)} = $${index + 1}`] : [],
      );
    this.updateText = `UPDATE ${this.table} SET ${assignments(false).join(', ')} WHERE ${assignments(true).join(' AND ')}`;
    // Columns that aren't mapped, such as another team's, get their defaults.
    const rows = `FROM json_populate_recordset(NULL::${this.table}, $1::json)`;
    const inserted = this.insertColumns.map(quoted).join(', ');
    this.insertAllText = `INSERT INTO ${this.table} (${inserted}) SELECT ${inserted} ${rows}`;
    const changed = (isPrimary: boolean, left = '') =>
      this.updateColumns.flatMap((column) =>
        column.isPrimary === isPrimary ? [`${left}${quoted(column)} = changed.${quoted(column)}`] : [],
      );
    this.updateAllText = `UPDATE ${this.table} SET ${changed(false).join(', ')} ${rows} AS changed WHERE ${changed(true, `${this.table}.`).join(' AND ')}`;
  }

  insert(entity: Entity): Statement {
    return { text: this.insertText, values: this.values(entity, this.insertColumns) };
  }

  /** Writes the whole row: only for an entity that was read under a row lock in the same transaction. */
  update(entity: Entity): Statement {
    return { text: this.updateText, values: this.values(entity, this.updateColumns) };
  }

  /** The insert of many entities, as one statement whose text doesn't depend on their number. */
  insertAll(entities: readonly Entity[]): Statement {
    return { text: this.insertAllText, values: [this.rows(entities, this.insertColumns)] };
  }

  /** The same for updates of whole rows, which are locked. */
  updateAll(entities: readonly Entity[]): Statement {
    return { text: this.updateAllText, values: [this.rows(entities, this.updateColumns)] };
  }

  /** Makes the entity of a row that has all of `columns`; further ones are ignored. */
  readonly read = (row: object): Entity =>
    fill(Object.create(this.prototype) as Row, row as Row, this.readings) as Entity;

  /** Returns a reader that makes plain objects without the given fields: lists skip the entity where a view is all they need. */
  plainReader<Left extends keyof Entity>(...left: Left[]): (row: object) => Omit<Entity, Left> {
    const readings = this.readings.filter(({ property }) => !left.includes(property as Left));
    return (row) => fill({}, row as Row, readings) as Omit<Entity, Left>;
  }

  /** The part of a `ListQuery` that the mapping knows, for a list sorted by this field. */
  sortedBy(field: keyof Entity & string): { columns: string; from: string; sort: SortColumn } {
    const column = this.all.find(({ propertyName }) => propertyName === field);
    if (!column)
      throw new Error(`${this.table} has no column for ${field}, so a list can't be sorted by it.`);
    const sort = { column: quoted(column), type: column.type as string, nullable: column.isNullable };
    return { columns: this.columns, from: this.table, sort };
  }

  private readingOf(column: ColumnMetadata): Reading {
    const { propertyName: property, databaseName, type, transformer } = column;
    const { driver } = this.dataSource;
    const reading = { property, column: databaseName };
    if (!READ_AS_IS.has(type) || Array.isArray(transformer)) {
      return { ...reading, convert: (value) => driver.prepareHydratedValue(value, column) as unknown };
    }
    return transformer ? { ...reading, convert: (value) => transformer.from(value) as unknown } : reading;
  }

  /** JSON for `json_populate_recordset`. */
  private rows(entities: readonly Entity[], columns: ColumnMetadata[]): string {
    const rows = entities.map((entity) => {
      const values = this.values(entity, columns);
      return Object.fromEntries(
        columns.map((column, index) => [column.databaseName, inJson(values[index], column)]),
      );
    });
    return JSON.stringify(rows);
  }

  private values(entity: Entity, columns: ColumnMetadata[]): unknown[] {
    const { driver } = this.dataSource;
    return columns.map(
      (column) => driver.preparePersistentValue(entity[column.propertyName] as unknown, column) as unknown,
    );
  }
}

function fill(target: Row, row: Row, readings: readonly Reading[]): Row {
  for (const { property, column, convert } of readings) {
    target[property] = convert ? convert(row[column]) : row[column];
  }
  return target;
}

/** The driver takes values of JSON columns as text. */
function inJson(value: unknown, { type }: ColumnMetadata): unknown {
  const isText = (type === 'json' || type === 'jsonb') && typeof value === 'string';
  return isText ? (JSON.parse(value) as unknown) : value;
}

function quoted({ databaseName }: ColumnMetadata): string {
  return `"${databaseName}"`;
}
