//! An expression while it is read, and as it was read.

use crate::music::text::Cursor;
use crate::notation::transforms::code::{BinaryOperator, FUNCTIONS, Function, Op};
use crate::notation::transforms::problem::{Finding, Problem, expected_arguments};
use std::ops::Range;

pub(super) type ReadResult<T> = Result<T, Box<Finding>>;

/// A value as it was written.
#[derive(Clone, Debug)]
pub(in crate::notation::transforms) struct Expression {
    pub code: Vec<Op>,
    /// The bytes it was written in.
    pub range: Range<usize>,
    /// Calls whose arguments must be looked at once more.
    pub calls: Vec<CheckedCall>,
    /// What in it follows the grammar and is wrong all the same.
    pub semantic_findings: Vec<Finding>,
    /// The function, if it is one call and nothing around it.
    pub lone_call: Option<Function>,
    /// A truth value.
    pub is_condition: bool,
}

/// A call whose constant arguments may be wrong.
#[derive(Clone, Debug)]
pub(in crate::notation::transforms) struct CheckedCall {
    pub function: Function,
    /// The bytes of its name.
    pub name: Range<usize>,
    /// The operations of its first arguments.
    pub arguments: Vec<Range<usize>>,
}

/// What stands open: a bracket, or an operator whose right side is being read.
pub(super) enum Open {
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
    Binary(BinaryOperator, usize),
    Not(usize),
}

pub(super) struct ExpressionReader<'a> {
    pub cursor: Cursor<'a>,
    pub in_where: bool,
    pub code: Vec<Op>,
    pub open: Vec<Open>,
    /// For each value on the stack, whether it is a truth value.
    pub truths: Vec<bool>,
    pub calls: Vec<CheckedCall>,
    pub semantic_findings: Vec<Finding>,
    /// The call that ended last, and its operations.
    pub last_call: Option<(Function, Range<usize>)>,
}

impl ExpressionReader<'_> {
    /// After the closing bracket.
    pub fn finish_bracket(&mut self, keyword: bool) {
        let Some(Open::Call { function, name, code_at, arguments, count, .. }) = self.open.pop() else { return };
        let known = FUNCTIONS.iter().find(|(_, known, ..)| *known == function);
        if let Some((text, _, least, most)) = known
            && !(*least..=*most).contains(&count)
        {
            let expected = expected_arguments(*least, *most);
            let problem = Problem::ArgumentCount { name: (*text).to_owned(), expected, found: count };
            self.semantic_findings.push(*Finding::new(name.clone(), problem));
        }
        if matches!(function, Function::Curve | Function::Swing) {
            self.calls.push(CheckedCall { function, name, arguments });
        }
        self.code.push(Op::Call { function, arguments: count, keyword });
        self.last_call = Some((function, code_at..self.code.len()));
        self.truths.push(false);
    }
}
