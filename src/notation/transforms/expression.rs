//! Expressions read from text. The brackets that are open stand in a list, so no depth of them overflows the stack.

use super::code::{Binary, FUNCTIONS, Function, Op, VARIABLES, Variable};
use super::problem::{
    Finding, OPERATIONS, PARAMETER_NAMES, Problem, expected_arguments, meant_function, meant_property, properties,
};
use crate::music::text::Cursor;
use crate::notation::error::odd_character;
use crate::notation::gap::comment_length;
use std::ops::Range;

type Read<T> = Result<T, Box<Finding>>;

/// A value as it was written.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub code: Vec<Op>,
    /// The bytes it was written in.
    pub range: Range<usize>,
    /// Calls whose arguments must be looked at once more.
    pub calls: Vec<CheckedCall>,
    /// What in it follows the grammar and is wrong all the same.
    pub faults: Vec<Finding>,
    /// The function, if it is one call and nothing around it.
    pub lone_call: Option<Function>,
    /// A truth value.
    pub is_condition: bool,
}

/// A call whose constant arguments may be wrong.
#[derive(Clone, Debug)]
pub(super) struct CheckedCall {
    pub function: Function,
    /// The bytes of its name.
    pub name: Range<usize>,
    /// The operations of its first arguments.
    pub arguments: Vec<Range<usize>>,
}

enum Open {
    Group {
        at: usize,
    },
    Call {
        function: Function,
        name: Range<usize>,
        /// How many operations came before it.
        code_at: usize,
        /// Where the current argument's operations start.
        argument_at: usize,
        arguments: Vec<Range<usize>>,
        count: u32,
    },
    Binary(Binary, usize),
    Not(usize),
}

/// Blanks and comments within a line. A comment that is never closed is left standing.
pub(super) fn blanks(cursor: &mut Cursor<'_>) {
    loop {
        cursor.eat_while(b" \t");
        match comment_length(cursor.rest()) {
            Some(length) => cursor.go(cursor.at() + length),
            None => return,
        }
    }
}

/// A word of letters and digits that starts with a letter.
pub(super) fn word<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let start = cursor.at();
    if cursor.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
        while cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
            cursor.skip_char();
        }
    }
    cursor.since(start)
}

/// Some characters from here on, for a message.
pub(super) fn piece(cursor: &Cursor<'_>) -> Range<usize> {
    let rest = cursor.rest();
    let mut ends = rest.char_indices().skip(1);
    let end =
        ends.find(|(_, c)| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';' | ':' | '+' | '*' | '=' | '<' | '>'));
    cursor.at()..cursor.at() + end.map_or(rest.len(), |(at, _)| at)
}

pub(super) fn at_end_of_line(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.peek(), None | Some(b'\r' | b'\n'))
}

/// A note value or bar count, without its sign.
pub(super) fn length(cursor: &mut Cursor<'_>) -> Option<Op> {
    let bars = cursor.attempt(|c| {
        c.eat("n");
        let bars = c.counting()?;
        (c.eat("bars") || c.eat("bar")).then_some(Op::Bars(bars))
    });
    bars.or_else(|| cursor.attempt(|c| if c.eat("n") { c.fraction().map(Op::NoteValue) } else { None }))
}

/// A number without its sign: `7`, `7.`, `7.5`, `.5`.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Option<f64> {
    cursor.decimal().or_else(|| {
        cursor.attempt(|c| {
            let start = c.at();
            (c.eat(".") && !c.digits().is_empty()).then(|| c.since(start).parse().ok()).flatten()
        })
    })
}

/// Reads a value, or (`in_where`) a condition. Stops where nothing can go on: at the end of the line, at a bracket or comma
/// that is not its own, at anything that is no operator.
pub(super) fn read(cursor: &mut Cursor<'_>, in_where: bool) -> Read<Expression> {
    let mut reader = Reader {
        cursor: *cursor,
        in_where,
        code: Vec::new(),
        open: Vec::new(),
        truths: Vec::new(),
        calls: Vec::new(),
        faults: Vec::new(),
        last_call: None,
    };
    blanks(&mut reader.cursor);
    let start = reader.cursor.at();
    reader.run()?;
    let end = reader.cursor.at();
    if reader.truths.last() == Some(&true) && !in_where {
        return Err(Finding::new(start..end, Problem::ConditionOutside));
    }
    *cursor = reader.cursor;
    let Reader { code, calls, faults, truths, last_call, .. } = reader;
    let lone_call = last_call.filter(|(_, calls)| *calls == (0..code.len())).map(|(function, _)| function);
    Ok(Expression { code, range: start..end, calls, faults, lone_call, is_condition: truths.last() == Some(&true) })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    in_where: bool,
    code: Vec<Op>,
    open: Vec<Open>,
    /// For each value in hand whether it is a truth value.
    truths: Vec<bool>,
    calls: Vec<CheckedCall>,
    faults: Vec<Finding>,
    /// The call that ended last, and its operations.
    last_call: Option<(Function, Range<usize>)>,
}

/// What a comma was.
enum Comma {
    None,
    /// A value must follow.
    Argument,
    /// A keyword followed, and its bracket.
    Finished,
}

impl Reader<'_> {
    fn run(&mut self) -> Read<()> {
        loop {
            while !self.operand()? {}
            // After a value: closing brackets, then an operator, or the end.
            loop {
                let end = self.cursor.at();
                blanks(&mut self.cursor);
                if self.close()? {
                    continue;
                }
                match self.next_argument()? {
                    Comma::None => {}
                    Comma::Argument => break,
                    Comma::Finished => continue,
                }
                if let Some((operator, length)) = self.operator()? {
                    let at = self.cursor.at();
                    self.reduce(operator.rank())?;
                    self.open.push(Open::Binary(operator, at));
                    self.cursor.go(at + length);
                    break;
                }
                self.reduce(0)?;
                return match self.open.last() {
                    None => {
                        self.cursor.go(end);
                        Ok(())
                    }
                    Some(_) if !at_end_of_line(&self.cursor) => Err(self.unexpected()),
                    Some(Open::Group { at }) => Err(Finding::new(*at..*at + 1, Problem::NotClosed)),
                    Some(Open::Call { name, .. }) => Err(Finding::new(name.start..name.end + 1, Problem::NotClosed)),
                    Some(_) => Err(self.unexpected()),
                };
            }
        }
    }

    /// Carries out the operators on top that bind at least as tightly as `rank`.
    fn reduce(&mut self, rank: u8) -> Read<()> {
        loop {
            let (op, at, needs_truth, gives_truth) = match self.open.last() {
                Some(Open::Binary(operator, at)) if operator.rank() >= rank => {
                    let logical = matches!(operator, Binary::And | Binary::Or);
                    (Op::Binary(*operator), *at, logical, operator.rank() <= 4)
                }
                // Not binds looser than comparisons.
                Some(Open::Not(at)) if rank <= 3 => (Op::Not, *at, true, true),
                _ => return Ok(()),
            };
            self.open.pop();
            let operands = if op == Op::Not { 1 } else { 2 };
            for _ in 0..operands {
                if self.truths.pop() != Some(needs_truth) {
                    return Err(Finding::new(at..at + 1, Problem::MixedCondition));
                }
            }
            self.truths.push(gives_truth);
            self.code.push(op);
        }
    }

    /// A closing bracket of one that was opened here.
    fn close(&mut self) -> Read<bool> {
        let own = self.open.iter().rev().any(|open| matches!(open, Open::Group { .. } | Open::Call { .. }));
        if self.cursor.peek() != Some(b')') || !own {
            return Ok(false);
        }
        self.reduce(0)?;
        if matches!(self.open.last(), Some(Open::Call { .. })) {
            self.end_argument()?;
        }
        self.cursor.skip_char();
        self.finish_bracket(false);
        Ok(true)
    }

    /// After the closing bracket.
    fn finish_bracket(&mut self, keyword: bool) {
        let Some(Open::Call { function, name, code_at, arguments, count, .. }) = self.open.pop() else { return };
        let known = FUNCTIONS.iter().find(|(_, known, ..)| *known == function);
        if let Some((text, _, least, most)) = known
            && !(*least..=*most).contains(&count)
        {
            let expected = expected_arguments(*least, *most);
            let problem = Problem::Count { name: (*text).to_owned(), expected, found: count };
            self.faults.push(*Finding::new(name.clone(), problem));
        }
        if matches!(function, Function::Curve | Function::Swing) {
            self.calls.push(CheckedCall { function, name, arguments });
        }
        self.code.push(Op::Call { function, arguments: count, keyword });
        self.last_call = Some((function, code_at..self.code.len()));
        self.truths.push(false);
    }

    /// The value in hand is an argument of the innermost call.
    fn end_argument(&mut self) -> Read<()> {
        if self.truths.pop() != Some(false) {
            let at = self.cursor.at();
            return Err(Finding::new(at..at + 1, Problem::MixedCondition));
        }
        let end = self.code.len();
        if let Some(Open::Call { argument_at, arguments, count, .. }) = self.open.last_mut() {
            if arguments.len() < 3 {
                arguments.push(*argument_at..end);
            }
            *argument_at = end;
            *count = count.saturating_add(1);
        }
        Ok(())
    }

    /// A comma between arguments.
    fn next_argument(&mut self) -> Read<Comma> {
        if self.cursor.peek() != Some(b',') {
            return Ok(Comma::None);
        }
        self.reduce(0)?;
        let Some(Open::Call { function, .. }) = self.open.last() else { return Ok(Comma::None) };
        let function = *function;
        self.end_argument()?;
        self.cursor.skip_char();
        blanks(&mut self.cursor);
        let mut ahead = self.cursor;
        let start = ahead.at();
        let keyword = word(&mut ahead);
        if !matches!(keyword, "sync" | "raw") {
            return Ok(Comma::Argument);
        }
        if function.keyword() != Some(keyword) {
            return Err(Finding::new(start..ahead.at(), Problem::Keyword));
        }
        blanks(&mut ahead);
        if !ahead.eat(")") {
            return Err(Finding::new(start..start + keyword.len(), Problem::Keyword));
        }
        self.cursor = ahead;
        self.finish_bracket(true);
        Ok(Comma::Finished)
    }

    fn operator(&mut self) -> Read<Option<(Binary, usize)>> {
        let rest = self.cursor.rest();
        if rest.starts_with("/*") {
            let at = self.cursor.at();
            return Err(Finding::new(at..at + 2, Problem::Comment));
        }
        let arithmetic = match rest.bytes().next() {
            Some(b'+') => Some(Binary::Plus),
            Some(b'-') => Some(Binary::Minus),
            Some(b'*') => Some(Binary::Times),
            Some(b'/') => Some(Binary::Divided),
            Some(b'%') => Some(Binary::Modulo),
            _ => None,
        };
        if let Some(operator) = arithmetic {
            return Ok(Some((operator, 1)));
        }
        let at = self.cursor.at();
        let conditions = [
            (">=", Binary::AtLeast),
            ("<=", Binary::AtMost),
            ("==", Binary::Equal),
            ("!=", Binary::Unequal),
            (">", Binary::Above),
            ("<", Binary::Below),
            ("&&", Binary::And),
            ("||", Binary::Or),
        ];
        let found = conditions.into_iter().find(|(text, _)| rest.starts_with(text));
        match found {
            Some((text, _)) if !self.in_where => {
                return Err(Finding::new(at..at + text.len(), Problem::ConditionOutside));
            }
            Some((text, operator)) => return Ok(Some((operator, text.len()))),
            None => {}
        }
        if self.in_where {
            let mut ahead = self.cursor;
            let name = word(&mut ahead);
            if matches!(name, "and" | "AND" | "or" | "OR") {
                let right = if name.eq_ignore_ascii_case("and") { "&&" } else { "||" };
                return Err(Finding::new(at..ahead.at(), Problem::AndOr).rather(right));
            }
            for (wrong, right) in [("=", "=="), ("&", "&&"), ("|", "||")] {
                if rest.starts_with(wrong) {
                    let problem = if wrong == "=" { Problem::SingleEquals } else { Problem::AndOr };
                    return Err(Finding::new(at..at + 1, problem).rather(right));
                }
            }
        }
        Ok(None)
    }

    /// A value, or the start of a call, which still needs one (`false`).
    fn operand(&mut self) -> Read<bool> {
        loop {
            blanks(&mut self.cursor);
            let at = self.cursor.at();
            match self.cursor.peek() {
                Some(b'(') => {
                    self.cursor.skip_char();
                    self.open.push(Open::Group { at });
                }
                Some(b'!') if self.in_where => {
                    self.cursor.skip_char();
                    // Over `a > !b` it would end up as a comparison of truths; that is told of when it is carried out.
                    self.open.push(Open::Not(at));
                }
                _ => break,
            }
        }
        let at = self.cursor.at();
        if let Some(op) = self.literal()? {
            let mut ahead = self.cursor;
            let touching =
                !word(&mut ahead).is_empty() || ahead.peek() == Some(b'|') && ahead.peek_ahead(1) != Some(b'|');
            if touching {
                return Err(torn(self.cursor, at));
            }
            self.code.push(op);
            self.truths.push(false);
            return Ok(true);
        }
        self.named(at)
    }

    /// A number, note value, bar count or pitch.
    fn literal(&mut self) -> Read<Option<Op>> {
        let at = self.cursor.at();
        let negative = self.cursor.eat("-");
        let sign = if negative { -1.0 } else { 1.0 };
        let op = length(&mut self.cursor).map(|op| match op {
            Op::NoteValue(beats) => Op::NoteValue(beats * sign),
            Op::Bars(bars) => Op::Bars(bars * sign),
            other => other,
        });
        if let Some(op) = op.or_else(|| number(&mut self.cursor).map(|number| Op::Number(number * sign))) {
            return Ok(Some(op));
        }
        if negative {
            return Err(Finding::new(at..piece(&self.cursor).end, Problem::Minus).instead(at..at + 1, "-1 * "));
        }
        let mut ahead = self.cursor;
        if let Some(pitch) = ahead.pitch()
            && !ahead.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'(' | b'.' | b'_'))
        {
            let pitch = u8::try_from(pitch).ok().filter(|pitch| *pitch <= 127);
            let pitch = pitch.ok_or_else(|| Finding::new(at..ahead.at(), Problem::PitchRange))?;
            self.cursor = ahead;
            return Ok(Some(Op::Pitch(pitch)));
        }
        Ok(None)
    }

    /// A variable or a function.
    fn named(&mut self, at: usize) -> Read<bool> {
        let name = word(&mut self.cursor);
        let range = at..self.cursor.at();
        if name.is_empty() {
            return Err(self.nothing(at));
        }
        if self.cursor.peek() == Some(b'.') {
            self.cursor.skip_char();
            let property = word(&mut self.cursor);
            return self.variable(name, property, at);
        }
        if self.cursor.peek() == Some(b'(') {
            let Some((_, function, ..)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
                if let Some((operation, form)) = OPERATIONS.iter().find(|(known, _)| *known == name) {
                    return Err(Finding::new(range, Problem::OperationAsValue(operation, form)));
                }
                let finding = Finding::new(range, Problem::UnknownFunction);
                return Err(match meant_function(name) {
                    Some(meant) => finding.rather(meant),
                    None => finding,
                });
            };
            if self.in_where && matches!(function, Function::Legato | Function::Seq) {
                let name = if *function == Function::Seq { "seq" } else { "legato" };
                return Err(Finding::new(range, Problem::FunctionInWhere(name)));
            }
            self.cursor.skip_char();
            self.open.push(Open::Call {
                function: *function,
                name: range,
                code_at: self.code.len(),
                argument_at: self.code.len(),
                arguments: Vec::new(),
                count: 0,
            });
            let inside = self.cursor;
            blanks(&mut self.cursor);
            if self.cursor.eat(")") {
                self.finish_bracket(false);
                return Ok(true);
            }
            self.cursor = inside;
            return Ok(false);
        }
        Err(self.bare(name, range))
    }

    fn variable(&mut self, namespace: &str, property: &str, at: usize) -> Read<bool> {
        let range = at..self.cursor.at();
        let known = VARIABLES.iter().find(|(space, name, _)| (*space, *name) == (namespace, property));
        let Some((_, _, variable)) = known else {
            let spaces = [("note", "note"), ("next", "next"), ("clip", "clip"), ("audio", "audio")];
            let Some((_, space)) = spaces.into_iter().find(|(_, space)| space.eq_ignore_ascii_case(namespace)) else {
                return Err(Finding::new(range, Problem::Namespace));
            };
            let finding = Finding::new(range, Problem::Property(space, properties(space)));
            return Err(match meant_property(space, property) {
                Some(meant) => finding.rather(format!("{space}.{meant}")),
                None => finding,
            });
        };
        if self.in_where && !matches!(variable, Variable::Note(_)) {
            return Err(Finding::new(range, Problem::ForbiddenInWhere));
        }
        self.code.push(Op::Variable(*variable));
        self.truths.push(false);
        Ok(true)
    }

    /// A word alone that is no value.
    fn bare(&self, name: &str, range: Range<usize>) -> Box<Finding> {
        if matches!(name, "pi" | "PI" | "tau" | "TAU") {
            return Finding::new(range, Problem::Pi);
        }
        if let Some((operation, form)) = OPERATIONS.iter().find(|(known, _)| *known == name) {
            return Finding::new(range, Problem::OperationAsValue(operation, form));
        }
        if FUNCTIONS.iter().any(|(known, ..)| *known == name) {
            return Finding::new(range, Problem::NoArguments);
        }
        if name == "not" && self.in_where {
            return Finding::new(range, Problem::AndOr).rather("!");
        }
        if matches!(name, "sync" | "raw") {
            return Finding::new(range, Problem::Keyword);
        }
        let is_note_value = matches!(name, "velocity" | "pitch" | "duration" | "probability" | "deviation" | "start");
        if is_note_value || PARAMETER_NAMES.contains(&name) {
            let problem = if self.in_where { Problem::MissingNote } else { Problem::Namespace };
            let property = if name == "timing" { "start" } else { name };
            return Finding::new(range, problem).rather(format!("note.{property}"));
        }
        let mut rest = name.chars();
        let first = rest.next().unwrap_or(' ');
        let digits = rest.as_str();
        if name == "delete" || first == 'v' && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            let finding = Finding::new(range, Problem::ShorthandAsValue(name.to_owned()));
            // A range has no number that would stand for it.
            return match name {
                "delete" => finding.rather("0"),
                _ if self.cursor.peek() == Some(b'-') => finding,
                _ => finding.rather(digits),
            };
        }
        if first == 'n' && (digits.is_empty() || digits.bytes().all(|b| b.is_ascii_digit())) {
            let after = self.cursor.rest();
            if after.starts_with("/0") {
                return Finding::new(range.start..range.end + 2, Problem::ZeroDenominator);
            }
            if after.starts_with('/') {
                return Finding::new(range.start..range.end + 1, Problem::NoDenominator);
            }
            return Finding::new(range, Problem::NoDenominator).rather(format!("n/{digits}"));
        }
        let mut pitch = Cursor::new(name);
        if pitch.pitch_class().is_some() && pitch.is_done() {
            return Finding::new(range, Problem::NoOctave).rather(format!("{name}3"));
        }
        Finding::new(range, Problem::Value)
    }

    /// Nothing that a value could start with.
    fn nothing(&self, at: usize) -> Box<Finding> {
        let text = self.cursor;
        if text.rest().starts_with("/*") {
            return Finding::new(at..at + 2, Problem::Comment);
        }
        if let Some(odd) = text.peek_char().and_then(odd_character) {
            let end = at + text.peek_char().map_or(0, char::len_utf8);
            return Finding::new(at..end, Problem::Odd(odd));
        }
        let after = match self.open.last() {
            Some(Open::Binary(operator, _)) => Some(operator_text(*operator).to_owned()),
            Some(Open::Not(_)) => Some("!".to_owned()),
            Some(Open::Group { .. }) => Some("(".to_owned()),
            Some(Open::Call { count: 0, .. }) => Some("(".to_owned()),
            Some(Open::Call { .. }) => Some(",".to_owned()),
            None => None,
        };
        let end = if at_end_of_line(&text) { at } else { piece(&text).end };
        let problem = match after {
            Some(after) => Problem::NothingAfter(after),
            None if end == at => Problem::NothingAfter(if self.in_where { "(" } else { "=" }.to_owned()),
            None => Problem::Value,
        };
        Finding::new(at..end, problem)
    }

    /// Something in brackets that is no operator.
    fn unexpected(&self) -> Box<Finding> {
        let at = self.cursor.at();
        if self.cursor.rest().starts_with("/*") {
            return Finding::new(at..at + 2, Problem::Comment);
        }
        let range = piece(&self.cursor);
        match self.cursor.peek_char().and_then(odd_character) {
            Some(odd) => Finding::new(range, Problem::Odd(odd)),
            None => Finding::new(range, Problem::NoOperator),
        }
    }
}

fn operator_text(operator: Binary) -> &'static str {
    match operator {
        Binary::Or => "||",
        Binary::And => "&&",
        Binary::AtLeast => ">=",
        Binary::AtMost => "<=",
        Binary::Equal => "==",
        Binary::Unequal => "!=",
        Binary::Above => ">",
        Binary::Below => "<",
        Binary::Plus => "+",
        Binary::Minus => "-",
        Binary::Times => "*",
        Binary::Divided => "/",
        Binary::Modulo => "%",
    }
}

/// A value with something glued to its end.
fn torn(cursor: Cursor<'_>, at: usize) -> Box<Finding> {
    let mut ahead = cursor;
    let head = cursor.since(at);
    let tail = word(&mut ahead);
    let whole = at..ahead.at();
    if ahead.peek() == Some(b'|') {
        let end = piece(&ahead).end;
        return Finding::new(at..end, Problem::Value);
    }
    if head.contains('/') && tail.starts_with("bar") {
        return Finding::new(whole, Problem::MixedLength);
    }
    if matches!(tail, "t" | "d") && head.bytes().all(|b| b.is_ascii_digit()) {
        return Finding::new(whole, Problem::OldLength);
    }
    Finding::new(cursor.at()..ahead.at(), Problem::NoOperator)
}
